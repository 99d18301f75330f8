"""Restores the list of definitions with `__attribute__((used))`: clang drops it when it embeds bitcode.

Two kinds of definitions are put into `llvm.compiler.used` again:

- definitions with local linkage that nothing refers to: clang emits them only if they are `used`;
- variables in a section with the name of a C identifier: the linker makes a set of them (`__start_name`,
  `__stop_name`).
"""

from __future__ import annotations

import re

from enzyme_cc.link.inputs.module_text import Entity, ModuleText
from enzyme_cc.link.participants.linkage import LOCAL, linkage

_LIST = "llvm.compiler.used"
_SET = re.compile(r'section "[A-Za-z_]\w*"')
_SYMBOL = re.compile(r'@(?:[-\w$.]+|"[^"]*")')


def with_used(text: str) -> str:
    """Returns a unit's text with a list of used definitions. A unit with such a list is unchanged."""
    module = ModuleText(text)
    if _LIST in module.entities:
        return text
    definitions = [e for e in module.entities.values() if e.is_definition and not e.name.startswith("llvm.")]
    local = [e for e in definitions if linkage(_head(module, e)) in LOCAL]
    names = {e.name for e in local} - _referred(module)
    names |= {e.name for e in definitions if _SET.search(_head(module, e))}
    if not names:
        return text
    symbols = [_symbol(module, module.entities[name]) for name in sorted(names)]
    elements = ", ".join(f"ptr {symbol}" for symbol in symbols)
    line = f'@{_LIST} = appending global [{len(symbols)} x ptr] [{elements}], section "llvm.metadata"\n'
    return f"{text.rstrip()}\n\n{line}"


def _referred(module: ModuleText) -> set[str]:
    return {name for entity in module.entities.values() for name in module.references(entity)}


def _head(module: ModuleText, entity: Entity) -> str:
    return module.of(entity).partition("\n")[0]


def _symbol(module: ModuleText, entity: Entity) -> str:
    """Returns the entity's name as its definition spells it."""
    found = _SYMBOL.search(_head(module, entity))
    assert found is not None
    return found[0]
