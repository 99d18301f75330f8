"""Writes a report file if enzyme-cc itself fails, and makes a short diagnostic in place of a traceback.

The report file holds the command, the traceback, and the IR that the failing stage worked on. The IR is enough to
repeat the failure. The inputs of the link are not: they are often temporary files of the compiler.
"""

from __future__ import annotations

import os
import shutil
import sys
import traceback

from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.report import EnzymeError

_REPORT = "enzyme-ld-report-{pid}.txt"


class InvalidCode(Exception):
    """LLVM refused code that enzyme-cc made; `__cause__` is LLVM's error."""


class StageFailure(Exception):
    """A stage of the link failed by a mistake of enzyme-cc, `__cause__`. `text` is the module it worked on."""

    def __init__(self, text: str) -> None:
        super().__init__("a stage of the link failed")
        self.text = text


def diagnosed(command: LinkCommand, error: Exception) -> EnzymeError:
    """Writes a report file about an unexpected exception and returns the diagnostic for the user.

    Raises BrokenPipeError if this is the exception: nobody reads what the link prints.
    """
    cause = error.__cause__ if isinstance(error, StageFailure) and error.__cause__ is not None else error
    if isinstance(cause, BrokenPipeError):
        raise cause
    if isinstance(cause, MemoryError):
        return EnzymeError.of("EZ0903", "memory ran out")
    id_, what = "EZ0900", "internal error"
    if isinstance(cause, InvalidCode):
        id_, what, cause = "EZ0901", "LLVM refused the code that enzyme-cc made", cause.__cause__ or cause
    name = "" if id_ == "EZ0901" else f"{type(cause).__name__}: "
    path = _write(command, error)
    kept = f"; the report file is {path}" if path else ""
    return EnzymeError.of(id_, f"{what}{kept}", reason=f"{name}{cause}")


def _write(command: LinkCommand, error: Exception) -> str | None:
    path = os.path.abspath(_REPORT.format(pid=os.getpid()))
    trace = "".join(traceback.format_exception(error))
    try:
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(f"command: {command.arguments()}\n\n{trace}\n{getattr(error, 'text', '')}")
    except OSError:
        return None
    return path


def keep_module(scratch: Scratch) -> None:
    """Makes a report file of the module that LLVM worked on when the process died, if there is one."""
    if not os.path.exists(scratch.module):
        return
    path = os.path.abspath(_REPORT.format(pid=os.getpid()))
    try:
        shutil.move(scratch.module, path)
        print(f"enzyme-ld: the module that LLVM failed on is in the report file {path}", file=sys.stderr)
    except OSError as error:
        print(f"enzyme-ld: no report file could be written: {error.strerror}", file=sys.stderr)
