"""Inactive global variables, and the accesses of numbers in them, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, unquoted
from enzyme_cc.link.participants.declarations import INACTIVE, annotated

_DECLARATION = "__enzyme_inactive_global"
_SPELLINGS = (_DECLARATION, "enzyme_inactive", "enzyme:inactive")
_VALUE = rf"%{NAME}"
_NUMBER = r"(?:half|bfloat|float|double|x86_fp80|fp128|<\d+ x (?:float|double)>)"
#: indent, value, the rest, type and pointer of a load
LOAD = re.compile(rf"^(  )({_VALUE})( = load ({_NUMBER}), ptr (.*))$")
STORE = re.compile(rf"^  store {_NUMBER} {_VALUE}, ptr (.*)$")
_POINTER = re.compile(rf"^  ({_VALUE}) = getelementptr (.*)$")
_WORD = re.compile(rf"[@%]{NAME}")


def inactive_variables(module: ModuleText) -> set[str]:
    if not any(spelling in module.text for spelling in _SPELLINGS):
        return set()
    declared = {r for e in module.entities.values() if _DECLARATION in e.name for r in module.references(e)}
    names = declared | annotated(module, INACTIVE)
    return {name for name in names if name in module.entities and not module.entities[name].is_function}


def lines_with_variable(module: ModuleText, function: Entity, variables: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the lines of a function, each with the variable that it accesses, or an empty text."""
    bases: dict[str, str] = {}
    for line in module.of(function).split("\n"):
        found = LOAD.match(line) or STORE.match(line) or _POINTER.match(line)
        pointer = found[found.lastindex or 0] if found else ""
        base = next((b for b in (_base(word, bases, variables) for word in _WORD.findall(pointer)) if b), "")
        if base and (made := _POINTER.match(line)):
            bases[made[1]] = base
        yield line, base


def _base(word: str, bases: dict[str, str], variables: set[str]) -> str:
    name = unquoted(word[1:])
    return name if word[0] == "@" and name in variables else bases.get(word, "")
