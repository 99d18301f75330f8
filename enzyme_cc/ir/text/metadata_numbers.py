"""Numbers of metadata in the text of a module, and marks of loops, which are such metadata."""

from __future__ import annotations

import re

#: a node that tells LLVM to unroll a loop in full
UNROLL_FULLY = '!"llvm.loop.unroll.full"'
_DEFINITION = re.compile(r"^!(\d+) = ", re.MULTILINE)


def first_free(text: str) -> int:
    """Returns the first number above those of a module's metadata."""
    return max(map(int, _DEFINITION.findall(text)), default=-1) + 1


class LoopMarks:
    """Marks of loops that tell LLVM's passes the same: `hint` is the text of a node, `!"llvm.loop.…"`."""

    def __init__(self, text: str, hint: str) -> None:
        self._number, self._hint = first_free(text), hint
        self._loops: list[str] = []

    def mark(self) -> str:
        """Returns what is put behind the branch that ends a loop."""
        own = self._number + 1 + len(self._loops)
        self._loops.append(f"!{own} = distinct !{{!{own}, !{self._number}}}")
        return f", !llvm.loop !{own}"

    def nodes(self) -> list[str]:
        """Returns the lines that define the marks, none without marks."""
        return [f"!{self._number} = !{{{self._hint}}}", *self._loops] if self._loops else []
