"""`enzyme check`: runs a program with the checks of `--enzyme-check`, and sums up what they found."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from enzyme_cc.functions.sources import COMPILER, LANGUAGE, tool
from enzyme_cc.report.catalogue import CATALOGUE

#: what the checks print: toolchain/runtime/request_checks.c
_FINDING = re.compile(r"^enzyme-cc: .*\[(EZ\d{4})\]$")
#: a text of the runtime that each program with checks holds
_MARK = b"[EZ0227]"
_FLAGS = ["-g", "-O2", "--enzyme-check=differences"]


class Unchecked(Exception):
    """The program has no checks, or cannot be made."""


def checked(program: str, arguments: Sequence[str]) -> int:
    """Runs the program, or the program of a source file, and prints a summary. Returns the exit status.

    Raises `Unchecked`.
    """
    language = LANGUAGE.get(Path(program).suffix)
    if language not in COMPILER:
        return _run(program, arguments)
    with tempfile.TemporaryDirectory() as folder:
        made = str(Path(folder, Path(program).stem))
        _build([tool(COMPILER[language]), *_FLAGS, program, "-o", made, "-lm"])
        return _run(made, arguments)


def _build(command: Sequence[str]) -> None:
    if subprocess.run(command).returncode:
        raise Unchecked(f"the program cannot be made; the command is: {' '.join(command)}")


def _run(program: str, arguments: Sequence[str]) -> int:
    path = program if "/" in program else f"./{program}"
    if _MARK not in Path(path).read_bytes():
        raise Unchecked(f"{program} has no checks: link it with --enzyme-check, and compile it with -g")
    running = subprocess.Popen([path, *arguments], stderr=subprocess.PIPE, text=True, errors="replace")
    assert running.stderr is not None
    found = Counter(_passed_on(running.stderr))
    status = running.wait()
    print(_summary(found, status), file=sys.stderr)
    return 128 - status if status < 0 else status or bool(found)


def _passed_on(lines: Iterable[str]) -> Iterator[str]:
    """Prints what the program prints, and yields the id of each finding."""
    for line in lines:
        sys.stderr.write(line)
        found = _FINDING.match(line.rstrip("\n"))
        if found is not None:
            yield found[1]


def _summary(found: Counter[str], status: int) -> str:
    how = f"; the program ended by {signal.Signals(-status).name}" if status < 0 else ""
    told = ", ".join(f"{count} × {CATALOGUE[id].title} ({id})" for id, count in sorted(found.items()))
    return f"enzyme check: {told or 'no mistake in its requests was found'}{how}"
