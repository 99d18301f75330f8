"""Unrolls loops that make Fortran's array constructors of characters, one by one: `[(s(i:i), i = 1, 8)]`.

A number may lie in the characters of `s`. LLVM joins the stores of its bytes to one store if there is no loop.
"""

from __future__ import annotations

import re

from ...ir.text.metadata_numbers import LoopMarks

#: LLVM unrolls such a loop whole if it has no more iterations: the bytes of two numbers
_MOST = 16
_PUSH = re.compile(r" call void @__ez_stand_in__FortranAPushArrayConstructor\w+\(")
#: the type of characters, in a descriptor
_TEXTS = re.compile(r"\bi8 (?:40|43|44)\b")
_LABEL = re.compile(r"^([-\w$.]+|\"[^\"]*\"):")
_JUMP = re.compile(r"^  br (?:i1 [^,]+, )?label %")
_TARGET = re.compile(r"label %([-\w$.]+|\"[^\"]*\")")


def with_unrolled_constructors(text: str) -> str:
    """Returns the module in which LLVM unrolls these loops, unless the program says what to do with them."""
    if _PUSH.search(text) is None or _TEXTS.search(text) is None:
        return text
    marks = LoopMarks(text, f'!"llvm.loop.unroll.count", i32 {_MOST}')
    lines = text.split("\n")
    for at in sorted(_backward_jumps(lines)):
        lines[at] += marks.mark()
    return "\n".join([*lines, *marks.nodes(), ""])


def _backward_jumps(lines: list[str]) -> set[int]:
    """Returns the lines that jump back to a label before a push: the innermost loop around each."""
    found: set[int] = set()
    seen: set[str] = set()
    pushes: bool = False
    for at, line in enumerate(lines):
        if line.startswith("define "):
            seen, pushes = set(), False
        elif (label := _LABEL.match(line)) is not None:
            seen.add(label[1])
        elif _PUSH.search(line):
            pushes = True
        elif pushes and _JUMP.match(line) and not seen.isdisjoint(_TARGET.findall(line)):
            pushes = False
            if "!llvm.loop" not in line:
                found.add(at)
    return found
