"""Keeps loops that make requests as loops: LLVM's O2 would unroll those of a few iterations.

A derivative that is requested in one place is inlined there, and what it computes in each iteration alike is hoisted.
"""

from __future__ import annotations

import re

from .backward_jumps import LABEL, METADATA, jumps_back

_REQUEST = re.compile(r"\bcall [^\n]*@[^ (]*__enzyme_")
_LOOP = re.compile(r", !llvm\.loop !(\d+)")


def keep_requests_rolled(text: str) -> str:
    """Returns the module in which LLVM unrolls no loop of a function that makes requests."""
    if _REQUEST.search(text) is None:
        return text
    lines = text.split("\n")
    disable = max(map(int, METADATA.findall(text)), default=-1) + 1
    described: set[str] = set()
    added: list[str] = []
    for at in _jumps_back(lines):
        found = _LOOP.search(lines[at])
        if found is not None:
            described.add(found[1])
            continue
        number = disable + 1 + len(added)
        lines[at] += f", !llvm.loop !{number}"
        added.append(f"!{number} = distinct !{{!{number}, !{disable}}}")
    if not described and not added:
        return text
    for at, line in enumerate(lines):
        if line.startswith("!") and " = distinct !{" in line and line[1 : line.index(" ")] in described:
            lines[at] = f"{line.removesuffix('}')}, !{disable}}}"
    return "\n".join([*lines, f'!{disable} = !{{!"llvm.loop.unroll.disable"}}', *added, ""])


def _jumps_back(lines: list[str]) -> list[int]:
    """Returns the lines that jump back, in functions that make requests."""
    found: list[int] = []
    inside: list[int] = []
    seen: set[str] = set()
    requests = False
    for at, line in enumerate(lines):
        if line.startswith("define "):
            inside, seen, requests = [], set(), False
        elif line == "}":
            found += inside if requests else []
            inside = []
        elif (label := LABEL.match(line)) is not None:
            seen.add(label[1])
        elif _REQUEST.search(line):
            requests = True
        elif jumps_back(line, seen):
            inside.append(at)
    return found
