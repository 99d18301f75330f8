"""Cuts the derivative of what is loaded from inactive globals, before LLVM replaces a load by the value stored before.

Without the cut, it would depend on LLVM whether a number that passes through such a global carries a derivative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from enzyme_cc.analysis.callees import CUT
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, unquoted
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.closure import INACTIVE, annotated

_DECLARATION = "__enzyme_inactive_global"
_VALUE = rf"%{NAME}"
_NUMBER = r"(?:half|bfloat|float|double|x86_fp80|fp128|<\d+ x (?:float|double)>)"
_LOAD = re.compile(rf"^(  )({_VALUE})( = load ({_NUMBER}), ptr (.*))$")
_STORE = re.compile(rf"^  store {_NUMBER} {_VALUE}, ptr (.*)$")
_POINTER = re.compile(rf"^  ({_VALUE}) = getelementptr (.*)$")
_WORD = re.compile(rf"[@%]{NAME}")


def with_cut_loads(text: str) -> str:
    """Returns the module with a cut behind each load of numbers from an inactive global that the module also writes."""
    if _DECLARATION not in text and "enzyme_inactive" not in text and "enzyme:inactive" not in text:
        return text
    module = ModuleText(text)
    inactive = _inactive(module)
    functions = [e for e in module.entities.values() if e.is_function and e.is_definition] if inactive else []
    lines = {entity.name: list(_lines_with_base(module, entity, inactive)) for entity in functions}
    written = {base for found in lines.values() for line, base in found if base and _STORE.match(line)}
    cut: set[str] = set()

    def change(entity: Entity, old: str) -> str | None:
        if not any(base in written and _LOAD.match(line) for line, base in lines.get(entity.name, ())):
            return None
        return "\n".join(_cut(line, cut) if base in written else line for line, base in lines[entity.name])

    changed = linkage.edit(module, change)
    return changed + "".join(f"\ndeclare {type_} @{_name(type_)}({type_})\n" for type_ in sorted(cut))


def _inactive(module: ModuleText) -> set[str]:
    declared = {r for e in module.entities.values() if _DECLARATION in e.name for r in module.references(e)}
    names = declared | annotated(module, INACTIVE)
    return {name for name in names if name in module.entities and not module.entities[name].is_function}


def _lines_with_base(module: ModuleText, function: Entity, inactive: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the lines of a function, each with the inactive global that it accesses, or an empty text."""
    bases: dict[str, str] = {}
    for line in module.of(function).split("\n"):
        found = _LOAD.match(line) or _STORE.match(line) or _POINTER.match(line)
        pointer = found[found.lastindex or 0] if found else ""
        base = next((b for b in (_base(word, bases, inactive) for word in _WORD.findall(pointer)) if b), "")
        if base and (made := _POINTER.match(line)):
            bases[made[1]] = base
        yield line, base


def _base(word: str, bases: dict[str, str], inactive: set[str]) -> str:
    name = unquoted(word[1:])
    return name if word[0] == "@" and name in inactive else bases.get(word, "")


def _cut(line: str, cut: set[str]) -> str:
    found = _LOAD.match(line)
    if not found:
        return line
    indent, value, rest, type_, _ = found.groups()
    cut.add(type_)
    loaded = "%ez.loaded." + re.sub(r"\W", ".", value[1:])
    return f"{indent}{loaded}{rest}\n{indent}{value} = call {type_} @{_name(type_)}({type_} {loaded})"


def _name(type_: str) -> str:
    return f"{CUT}_{re.sub(r'[^a-z0-9]', '', type_)}"
