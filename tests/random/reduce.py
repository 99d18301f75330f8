"""Reduces a failing random function to a small one: `python -m tests.random.reduce SEED [LEVEL [nested|cxx|fortran]]`.

With `nested` it is the second derivatives that fail, with `cxx` or `fortran` a function of generate_cxx.py or
fortran/generate_fortran.py. Statements are removed, or replaced by what stands inside them, as long as the function
fails in the same way.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .fortran.generate_fortran import function as function_in_fortran
from .fortran.program_fortran import FortranProgram
from .generate import Node, Source, function
from .generate_cxx import function as function_in_cxx
from .nested import NestedProgram
from .program import Program
from .program_cxx import CxxProgram

_PROGRAMS: dict[str, type[Program]] = {
    "": Program,
    "nested": NestedProgram,
    "cxx": CxxProgram,
    "fortran": FortranProgram,
}
_KIND = "".join(sys.argv[3:4])


def outcome(source: Source, level: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = _PROGRAMS[_KIND](Path(folder), [source]).outcomes(level)[0]
        except ValueError:
            return "invalid"
    if found.kind != "refused":
        return found.kind
    return "internal" if "Traceback" in found.detail or "EZ09" in found.detail else "refused"


def shrinkings(children: list[Node]) -> Iterator[list[Node]]:
    """Smaller versions of a list of statements, in the order to try."""
    for k, node in enumerate(children):
        if not node.fixed:
            yield children[:k] + children[k + 1 :]
            if node.children:
                yield children[:k] + [n for n in node.children if not n.fixed] + children[k + 1 :]


def reduce(source: Source, level: str) -> Source:
    kind = outcome(source, level)
    print(f"it is {kind}", file=sys.stderr)
    changed = kind not in ("right", "skipped")
    while changed:
        changed = False
        for node in list(walk(source.nodes)):
            changed |= shrink_node(source, node, level, kind)
    return source


def shrink_node(source: Source, node: Node, level: str, kind: str) -> bool:
    progress = again = False
    while True:
        again = False
        for smaller in shrinkings(node.children):
            kept, node.children = node.children, smaller
            if outcome(source, level) == kind:
                progress = again = True
                break
            node.children = kept
        if not again:
            return progress


def walk(nodes: list[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from walk(node.children)


if __name__ == "__main__":
    level_ = sys.argv[2] if len(sys.argv) > 2 else "-O1"
    make = {"cxx": function_in_cxx, "fortran": function_in_fortran}.get(_KIND, function)
    print(reduce(make(int(sys.argv[1]), "f"), level_).text())
