"""Cuts the derivative of what is loaded from inactive globals, before LLVM replaces a load by the value stored before.

Without the cut, it would depend on LLVM whether a number that passes through such a global carries a derivative.
"""

from __future__ import annotations

import re

from enzyme_cc.analysis.callees import CUT
from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.inactive_variables import LOAD, STORE, inactive_variables, lines_with_variable


def with_cut_loads(text: str) -> str:
    """Returns the module with a cut behind each load of numbers from an inactive global that the module also writes."""
    module = ModuleText(text)
    inactive = inactive_variables(module)
    if not inactive:
        return text
    functions = [e for e in module.entities.values() if e.is_function and e.is_definition]
    lines = {entity.name: list(lines_with_variable(module, entity, inactive)) for entity in functions}
    written = {base for found in lines.values() for line, base in found if base and STORE.match(line)}
    cut: set[str] = set()

    def change(entity: Entity, old: str) -> str | None:
        if not any(base in written and LOAD.match(line) for line, base in lines.get(entity.name, ())):
            return None
        return "\n".join(_cut(line, cut) if base in written else line for line, base in lines[entity.name])

    changed = linkage.edit(module, change)
    return changed + "".join(f"\ndeclare {type_} @{_name(type_)}({type_})\n" for type_ in sorted(cut))


def _cut(line: str, cut: set[str]) -> str:
    found = LOAD.match(line)
    if not found:
        return line
    indent, value, rest, type_, _ = found.groups()
    cut.add(type_)
    loaded = "%ez.loaded." + re.sub(r"\W", ".", value[1:])
    return f"{indent}{loaded}{rest}\n{indent}{value} = call {type_} @{_name(type_)}({type_} {loaded})"


def _name(type_: str) -> str:
    return f"{CUT}_{re.sub(r'[^a-z0-9]', '', type_)}"
