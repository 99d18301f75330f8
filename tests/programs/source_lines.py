"""The source lines of a program's derivatives, as LLVM's tools read them: one row for each machine instruction."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TOOLS = ("llvm-objdump-22", "llvm-symbolizer-22")
_FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:")
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(.*)")
#: what derivatives of the program's own functions are called, as symbols and in debug information
_FORMS = "(gradient|adjoint|augmented|reverse|tangent)"
_DERIVATIVE = re.compile(rf"^__ez_{_FORMS}\.(?!__ez_)|.\.{_FORMS}$")


@dataclass(frozen=True)
class MachineInstruction:
    """An instruction: its text, and the functions and lines that it lies in, the innermost first. Line 0 is none."""

    text: str
    frames: tuple[tuple[str, int], ...]

    @property
    def line(self) -> int:
        return self.frames[0][1]

    @property
    def is_derivative(self) -> bool:
        return any(_DERIVATIVE.search(name) for name, _ in self.frames)


def has_tools() -> bool:
    return all(map(shutil.which, _TOOLS))


def rows(program: Path) -> list[MachineInstruction]:
    """Returns all instructions of a program but for padding."""
    instructions = [(at, text) for at, text in _instructions(program) if not text.startswith(("nop", "cs", "int3"))]
    words = [_TOOLS[1], f"--obj={program}", "--output-style=JSON"]
    asked = "\n".join(f"0x{at}" for at, _ in instructions)
    told = subprocess.run(words, input=asked, capture_output=True, text=True, check=True).stdout
    found = [json.loads(line)["Symbol"] for line in told.splitlines()]
    frames = [tuple((frame["FunctionName"], frame["Line"]) for frame in symbols) or (("", 0),) for symbols in found]
    return [MachineInstruction(text, frame) for (_, text), frame in zip(instructions, frames, strict=True)]


def _instructions(program: Path) -> Iterator[tuple[str, str]]:
    words = [_TOOLS[0], "-d", "--no-show-raw-insn", "--section=.text", str(program)]
    for line in subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines():
        found = _INSTRUCTION.match(line)
        if found is not None and _FUNCTION.match(line) is None:
            yield found[1], found[2]


def share_with_lines(program: Path) -> tuple[int, int]:
    """Returns how many instructions of derivatives have a line, and how many there are."""
    found = [row for row in rows(program) if row.is_derivative]
    return sum(row.line > 0 for row in found), len(found)
