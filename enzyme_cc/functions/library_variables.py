"""The variables of a library that other files can name: C's globals, Fortran's module variables and COMMON blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .compilation import modules_of
from .debug_info import DebugInfo
from .prototype import LibraryVariable

_DEFINITION = re.compile(r'^@("[^"\n]*"|[-\w.$]+) = (?!external|internal|private)([^\n]*!dbg [^\n]*)$', re.M)
_ATTACHED = re.compile(r"!dbg (!\d+)")
_OFFSET = re.compile(r"DW_OP_plus_uconst, (\d+)")


def variables(inputs: Iterable[str]) -> dict[str, LibraryVariable]:
    """Returns the variables of numbers and structs that objects or libraries define, by their names."""
    found = (variable for text in modules_of(inputs) for variable in _variables(text))
    return {variable.name: variable for variable in found if variable.type.element is not None}


def _variables(text: str) -> Iterator[LibraryVariable]:
    module = DebugInfo(text)
    for match in _DEFINITION.finditer(text):
        for attached in _ATTACHED.findall(match[2]):
            expression = module.node(attached)
            reference = expression.get("var", "")
            node = module.node(reference)
            if node.get("name"):
                offset = _OFFSET.search(expression.get("expr", ""))
                type_ = module.type_of(node.get("type", ""))
                name, is_fortran = _name(module, reference), match[1].startswith("_Q") or "common" in match[2].split()
                yield LibraryVariable(name, match[1].strip('"'), int(offset[1]) if offset else 0, type_, is_fortran)


def _name(module: DebugInfo, reference: str) -> str:
    """Returns the name; a COMMON block's stands before that of the procedure that declares it."""
    node = module.node(reference)
    scope = module.node(node.get("scope", ""))
    if scope[""] == "DICommonBlock":
        return f"{scope.get('name', '')}::{node['name']}".lstrip(":")
    return module.qualified(reference)
