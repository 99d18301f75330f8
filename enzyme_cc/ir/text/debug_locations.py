"""Where instructions, functions and globals come from: source lines and inlined calls, from a module's metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..values import Function, GlobalVariable, Instruction

_DEBUG = re.compile(r"!dbg (!\d+)")


class DebugLocations:
    """Answers by a module's table of metadata: number of a node → its text."""

    def __init__(self, metadata: Mapping[str, str]) -> None:
        self._metadata = metadata
        self._locations: dict[str, str | None] = {}

    def source_location(self, instruction: Instruction) -> str | None:
        """ "file:line:col" or "file" of the innermost inlined scope, from !dbg; None without debug information."""
        node = instruction.metadata_node("!dbg")
        if node is None:
            return None
        if node not in self._locations:
            text = self._metadata.get(node, "")
            self._locations[node] = self._position(text, _field(text, "scope"), _field(text, "column") or "0")
        return self._locations[node]

    def inlined_functions(self, instruction: Instruction) -> list[str]:
        """Returns the functions from whose inlined bodies the instruction comes, the outermost first."""
        inlined = list(self._inlining(instruction.metadata_node("!dbg")))[:-1]
        subprograms = (self._subprogram(_field(text, "scope")) for text in inlined)
        return [_field(self._metadata.get(s or "", ""), "name") or "?" for s in subprograms][::-1]

    def enclosing_function(self, instruction: Instruction) -> str | None:
        """Returns the symbol of the function whose source the instruction is in; None if that is not known."""
        text = next(self._inlining(instruction.metadata_node("!dbg")), "")
        described = self._metadata.get(self._subprogram(_field(text, "scope")) or "", "")
        return _field(described, "linkageName") or _field(described, "name")

    def inlined_call(self, node: str, subprogram: str) -> str | None:
        """ "file:line" of the call in whose place a location's code stands, if a function's body came in by it.

        `subprogram`: the function's DISubprogram; it may have come in through others.
        """
        *inlined, call = self._inlining(node)
        if all(self._subprogram(_field(text, "scope")) != subprogram for text in inlined):
            return None
        return self._position(call, _field(call, "scope"), None)

    def _inlining(self, node: str | None) -> Iterator[str]:
        """Yields the text of a location, then of the call that it was inlined for, and so on."""
        while node is not None:
            yield (text := self._metadata.get(node, ""))
            node = _field(text, "inlinedAt")

    def _subprogram(self, scope: str | None) -> str | None:
        """Returns the function that a scope lies in."""
        seen: set[str] = set()
        while scope is not None and scope not in seen:
            seen.add(scope)
            text = self._metadata.get(scope, "")
            if "DISubprogram(" in text:
                return scope
            scope = _field(text, "scope")
        return None

    def subprogram_of(self, head: str) -> str | None:
        """Returns the DISubprogram that the first line of a function's definition names."""
        found = _DEBUG.search(head)
        return found[1] if found is not None else None

    def function_location(self, function: Function) -> str | None:
        """ "file:line" of the function, from its DISubprogram."""
        node = self.subprogram_of(f"{function.prefix} {function.suffix}")
        return self._position(self._metadata.get(node, ""), node, None) if node is not None else None

    def global_location(self, variable: GlobalVariable) -> str | None:
        """ "file:line" of a global variable, from its DIGlobalVariable."""
        node = self.subprogram_of(variable.text)
        described = _field(self._metadata.get(node or "", ""), "var")
        return self._position(self._metadata.get(described, ""), described, None) if described is not None else None

    def _position(self, text: str, scope: str | None, column: str | None) -> str | None:
        line, file = _field(text, "line") or "0", self._file(scope)
        if file is None or line == "0":  # code of no line in particular
            return file
        return f"{file}:{line}" if column is None else f"{file}:{line}:{column}"

    def _file(self, scope: str | None) -> str | None:
        """Returns the file name of a scope, its own or the nearest outer one's."""
        seen: set[str] = set()
        while scope is not None and scope not in seen:
            seen.add(scope)
            text = self._metadata.get(scope, "")
            file = _field(text, "file")
            if file is not None:
                return _field(self._metadata.get(file, ""), "filename")
            scope = _field(text, "scope")
        return None


def _field(node: str, name: str) -> str | None:
    match = re.search(rf'\b{name}: (?:"([^"]*)"|([^,)]+))', node)
    if match is None:
        return None
    return match[1] if match[1] is not None else match[2]
