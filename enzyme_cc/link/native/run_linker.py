"""Runs the native linker: for the output, and for a trial link that shows which inputs it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NoReturn

from msgspec import Struct

from enzyme_cc.link.command.command import LinkCommand, quote_response
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.report import EnzymeError

_LONG_COMMAND = 100_000
_TRIAL = ("--strip-debug", "--unresolved-symbols=ignore-all", "-t", "-t")


class Traced(Struct, frozen=True):
    """A file that the native linker took, or a member of an archive."""

    path: str
    member: str | None = None


class NativeLinkError(Exception):
    """The native linker failed. It has printed the reason, or `stderr` holds it."""

    def __init__(self, status: int, stderr: str = "") -> None:
        super().__init__(f"the native linker exited with {status}")
        self.status = status
        self.stderr = stderr


def execute(linker: str, arguments: Sequence[str]) -> NoReturn:
    """Replaces this process by the native linker."""
    try:
        os.execv(linker, [linker, *arguments])
    except OSError as error:
        raise _not_started(linker, error) from None


def link(linker: str, arguments: Sequence[str], scratch: Scratch) -> None:
    """Runs the native linker with this process's stdout and stderr. Raises `NativeLinkError`."""
    status = _start(linker, arguments, scratch, capture=False).wait()
    if status:
        raise NativeLinkError(status)


def dry_run(linker: str, arguments: Sequence[str], scratch: Scratch) -> None:
    """Links to a scratch file. Raises `NativeLinkError`, with what the linker says."""
    running = _start(linker, [*arguments, "-o", scratch.path("dry-run")], scratch, capture=True)
    _, stderr = running.communicate()
    if running.returncode:
        raise NativeLinkError(running.returncode, stderr)


def joined(linker: str, objects: Sequence[bytes], scratch: Scratch) -> bytes:
    """Returns one object with all that is in several. Raises `NativeLinkError`."""
    output = scratch.path("joined.o")
    link(linker, ["-r", *(scratch.write("part.o", data) for data in objects), "-o", output], scratch)
    with open(output, "rb") as file:
        return file.read()


def trial(
    linker: str,
    command: LinkCommand,
    replaced: Mapping[int, Sequence[str]],
    scratch: Scratch,
    meanwhile: Callable[[], None],
) -> tuple[Traced, ...]:
    """Returns the files that the native linker links, in its order.

    Symbols may be unresolved, as those of requests are. Any other error of the linker raises `NativeLinkError`. Only a
    scratch file is written. `meanwhile` is called while the linker runs.
    """
    without = frozenset({Role.OUTPUT, Role.SIDE_OUTPUT})
    output = scratch.path("trial")
    arguments = [*command.arguments(replaced, without), "-o", output, *_TRIAL]
    running = _start(linker, arguments, scratch, capture=True)
    meanwhile()
    stdout, stderr = running.communicate()
    if running.returncode:
        raise NativeLinkError(running.returncode, stderr)
    return tuple(parse_trace(stdout))


def _start(linker: str, arguments: Sequence[str], scratch: Scratch, *, capture: bool) -> subprocess.Popen[str]:
    if sum(map(len, arguments)) > _LONG_COMMAND:
        response = quote_response(arguments).encode("utf-8", "surrogateescape")
        arguments = ["@" + scratch.write("arguments", response)]
    sys.stderr.flush()
    stream = subprocess.PIPE if capture else None
    try:
        return subprocess.Popen(
            [linker, *arguments],
            stdout=stream,
            stderr=stream,
            env={**os.environ, "LC_ALL": "C"} if capture else None,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except OSError as error:
        raise _not_started(linker, error) from None


def _not_started(linker: str, error: OSError) -> EnzymeError:
    return EnzymeError.of("EZ0110", f"cannot run the native linker {linker}", reason=error.strerror)


_GNU_MEMBER = re.compile(r"\((?P<path>.+)\)(?P<member>[^()]+)")
_MEMBER = re.compile(r"(?P<path>.+?)\((?P<member>[^()]*)\)")


def parse_trace(text: str) -> Iterator[Traced]:
    """Yields the files that a linker printed for `-t -t`: `file`, `(archive)member` (GNU ld) or `archive(member)`."""
    for line in text.splitlines():
        found = _GNU_MEMBER.fullmatch(line) or _MEMBER.fullmatch(line)
        if found is not None and not os.path.exists(line) and os.path.exists(found["path"]):
            yield Traced(found["path"], found["member"])
        elif os.path.exists(line):
            yield Traced(line)
