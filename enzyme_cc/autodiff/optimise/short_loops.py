"""Marks short loops of arithmetic, which LLVM unrolls then: their arrays become registers before differentiation.

A loop is short if its number of iterations is a constant of at most four. It is one block without calls, except
intrinsics. LLVM's O2 without unrolling unrolls what is marked.
"""

from __future__ import annotations

import re

from ...ir.text.metadata_numbers import UNROLL_FULLY, LoopMarks
from .array_loops import with_array_loops_marked

_MOST = 4
#: a block that is its own successor: label, instructions, branch
_LOOP = re.compile(
    r"^(?P<label>[-\w$.]+|\"[^\"\n]*\"):[^\n]*\n(?P<body>(?:  [^\n]*\n)*?)"
    r"(?P<branch>  br i1 (?P<condition>%\S+), "
    r"(?:label %[^\n,]+, label %(?P=label)|(?P<stays_if_true>label %(?P=label), label %[^\n,]+)))"
    r"(?:, !dbg !\d+)?(?P<loop>, !llvm\.loop !\d+)?$",
    re.MULTILINE,
)
_PHI = re.compile(r"^  (?P<name>%\S+) = phi i\d+ (?P<pairs>.*)$", re.MULTILINE)
_PAIR = re.compile(r"\[ (\S+), %([^\s\]]+) \]")
#: with debug information, or without
_LINE_END = r"(?:, !dbg !\d+)?$"
_CALL = re.compile(r"\b(?:call|invoke) (?![^\n]*@llvm\.)")


def with_short_loops_marked(text: str) -> tuple[str, bool]:
    """Returns the module with marks, and whether there are any. Loops over small local arrays are marked, too."""
    text, has_array_loops = with_array_loops_marked(text)
    marks = LoopMarks(text, UNROLL_FULLY)

    def marked(match: re.Match[str]) -> str:
        return match[0].removesuffix(match["loop"] or "") + marks.mark() if _is_short(match) else match[0]

    changed = _LOOP.sub(marked, text)
    nodes = marks.nodes()
    return ("\n".join([changed, *nodes, ""]), True) if nodes else (text, has_array_loops)


def _is_short(match: re.Match[str]) -> bool:
    """True if a counter goes from a constant to another in few steps, or a flag tells the first of two iterations."""
    body, condition = match["body"], re.escape(match["condition"])
    if _CALL.search(body):
        return False
    flag = next((phi for phi in _PHI.finditer(body) if phi["name"] == match["condition"]), None)
    if flag is not None:
        values = {block: value for value, block in _PAIR.findall(flag["pairs"])}
        stays, leaves = ("true", "false") if match["stays_if_true"] else ("false", "true")
        return values.pop(match["label"], None) == leaves and [*values.values()] == [stays]
    test = re.search(rf"^  {condition} = icmp (?:eq|ne) i\d+ (%[^\s,]+), (-?\d+){_LINE_END}", body, re.MULTILINE)
    if test is None:
        return False
    step = re.search(
        rf"^  {re.escape(test[1])} = add (?:n[us]w )*i\d+ (%[^\s,]+), (-?\d+){_LINE_END}", body, re.MULTILINE
    )
    for phi in _PHI.finditer(body):
        values = {block: value for value, block in _PAIR.findall(phi["pairs"])}
        if step is None or phi["name"] != step[1] or values.pop(match["label"], None) != test[1]:
            continue
        start = next(iter(values.values()), "")
        if len(values) == 1 and re.fullmatch(r"-?\d+", start) and int(step[2]):
            trips, rest = divmod(int(test[2]) - int(start), int(step[2]))
            return rest == 0 and 1 <= trips <= _MOST
    return False
