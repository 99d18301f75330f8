"""Source lines of derivatives: each instruction has the line of the primal instruction that it comes from.

For debuggers, a derivative is a function of its own: a DISubprogram with the file and the line of the primal. Locations
of the primal are copied into it: scopes in the primal get copies in the derivative, and calls that were inlined stay
inlined. A part of a function, such as the reverse sweep of a gradient, counts as an inlined function: debuggers stop at
a line once in each function. Without debug information of the primal, nothing is added.
"""

from __future__ import annotations

import re

from ...ir.module import Module
from ...ir.values import Function

_SUBPROGRAM = re.compile(r"!dbg (!\d+)")
_REFERENCE = r"\b{}: (!\d+)"
_SCOPE, _INLINED = re.compile(_REFERENCE.format("scope")), re.compile(_REFERENCE.format("inlinedAt"))
_FILE, _UNIT = re.compile(_REFERENCE.format("file")), re.compile(_REFERENCE.format("unit"))
_LINE, _NAME = re.compile(r"\bline: (\d+)"), re.compile(r'\bname: "([^"]*)"')
_NOWHERE = "DILocation(line: 0,"  # where LLVM has joined code of several lines
#: groups of instructions that a debugger stops at once for, which the primal's passes have numbered
_GROUPS = re.compile(r", atom(?:Group|Rank): \d+")
_FLAGS = "spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized"


class DerivativeLines:
    """The lines of one derivative function, which are added to a module."""

    def __init__(self, module: Module, primal: Function, function: Function, word: str) -> None:
        """`word` says in the function's name for debuggers which derivative of `primal` it is: `f.gradient`."""
        self._module = module
        self._function = function
        self._word = word
        self._subprograms: dict[str, str] = {}
        self._calls: dict[str, str] = {}
        self._copies: dict[tuple[str, str], str | None] = {}
        found = _SUBPROGRAM.search(f"{primal.prefix} {primal.suffix}")
        self._primal = found[1] if found is not None else ""
        self._text = module.metadata.get(self._primal, "")

    def put(self) -> None:
        """Gives all instructions of the finished function their lines."""
        if not (_FILE.search(self._text) and _UNIT.search(self._text)):
            return
        self._function.suffix = f"{self._function.suffix} !dbg {self._subprogram('')}"
        place, has_parts = self._start(""), len({part for _, part in self._function.positions.values()}) > 1
        for i in self._function.instructions():
            node, part = self._function.positions.get(i, ("", ""))
            place = self._copied(node, part if has_parts else "") or place
            i.metadata = (*(pair for pair in i.metadata if pair[0] != "!dbg"), ("!dbg", place))
        self._function.positions.clear()

    def _subprogram(self, part: str) -> str:
        """Returns the DISubprogram of a part of the derivative, or of the whole one."""
        if part not in self._subprograms:
            name, file, unit = (_first(pattern, self._text) for pattern in (_NAME, _FILE, _UNIT))
            line = _first(_LINE, self._text) or "0"
            type_ = self._module.add_metadata("!DISubroutineType(types: !{null})")
            fields = f'name: "{name}.{part or self._word}", scope: {file}, file: {file}, line: {line}'
            rest = f"type: {type_}, scopeLine: {line}, {_FLAGS}, unit: {unit}"
            self._subprograms[part] = self._module.add_metadata(f"distinct !DISubprogram({fields}, {rest})")
        return self._subprograms[part]

    def _start(self, part: str) -> str:
        """Returns the place where a part is called, or where the derivative begins."""
        if part not in self._calls:
            line, kind = _first(_LINE, self._text) or "0", "distinct " if part else ""
            text = f"{kind}!DILocation(line: {line}, scope: {self._subprogram('')})"
            self._calls[part] = self._module.add_metadata(text)
        return self._calls[part]

    def _copied(self, node: str, part: str) -> str | None:
        """Returns a location or a scope in the derivative's place; None if it does not lie in the primal."""
        if node == self._primal:
            return self._subprogram(part)
        if (node, part) not in self._copies:
            self._copies[node, part] = None  # a circle
            self._copies[node, part] = self._copy(node, part)
        return self._copies[node, part]

    def _copy(self, node: str, part: str) -> str | None:
        text = self._module.metadata.get(node, "")
        outer = _INLINED.search(text) or _SCOPE.search(text)
        copy = self._copied(outer[1], part) if outer is not None and _NOWHERE not in text else None
        if outer is None or copy is None:
            return None
        text = _GROUPS.sub("", text[: outer.start(1)] + copy + text[outer.end(1) :])
        if part and "DILocation(" in text and _INLINED.search(text) is None:
            text = f"{text[:-1]}, inlinedAt: {self._start(part)})"
        return self._module.add_metadata(text)


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found is not None else ""
