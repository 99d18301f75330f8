"""Puts definitions into LLVM's list `llvm.compiler.used`: LLVM keeps what is there.

clang drops the list when it embeds bitcode. Two kinds of definitions with `__attribute__((used))` are put into it
again:

- definitions with local linkage that nothing refers to: clang emits them only if they are `used`;
- variables in a section with the name of a C identifier: the linker makes a set of them (`__start_name`,
  `__stop_name`).

After differentiation, functions with labels are added. A derivative compares addresses with those of the primal's
blocks. LLVM gives all of these the same value when it drops the primal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from enzyme_cc.link.inputs.module_text import Entity, ModuleText, labelled_functions
from enzyme_cc.link.participants.linkage import LOCAL, linkage

_LIST = "llvm.compiler.used"
_SET = re.compile(r'section "[A-Za-z_]\w*"')
_SYMBOL = re.compile(r'@(?:[-\w$.]+|"[^"]*")')
_INDIRECT = re.compile(r"= [^@\"]*\b(?:ifunc|alias) ")


def with_used(module: ModuleText) -> ModuleText:
    """Returns a unit's text with a list of used definitions; the same object if it needs none, or has one."""
    if _LIST in module.entities:
        return module
    definitions = [e for e in module.entities.values() if _may_be_used(module, e)]
    local = [e for e in definitions if linkage(_head(module, e)) in LOCAL]
    names = _unreferred(module, local)
    names |= {e.name for e in definitions if _SET.search(_head(module, e))}
    if not names:
        return module
    symbols = [_symbol(module, module.entities[name]) for name in sorted(names)]
    return ModuleText(f"{module.text.rstrip()}\n\n{_list(symbols)}\n")


def with_labelled(text: str) -> str:
    """Returns a module in which functions stay if others name their blocks."""
    if not labelled_functions(text):
        return text
    module = ModuleText(text)
    functions = [e for e in module.entities.values() if e.is_function and e.is_definition]
    names = {name for e in functions for name in labelled_functions(module.of(e)) - {e.name}}
    old = module.entities.get(_LIST)
    if old is not None:
        names |= module.references(old)
        text = text[: old.start] + text[old.end :]
    symbols = [_symbol(module, module.entities[name]) for name in sorted(names)]
    return f"{text.rstrip()}\n\n{_list(symbols)}\n" if symbols else text


def _list(symbols: Sequence[str]) -> str:
    elements = ", ".join(f"ptr {symbol}" for symbol in symbols)
    return f'@{_LIST} = appending global [{len(symbols)} x ptr] [{elements}], section "llvm.metadata"'


def _may_be_used(module: ModuleText, entity: Entity) -> bool:
    """True for a definition of the program that can be in the list.

    The sanitizers' own have numbers for names. Ifuncs and their aliases stand for what a resolver returns.
    """
    is_own = entity.is_definition and not entity.name.startswith("llvm.")
    return is_own and not _symbol(module, entity)[1:].isdigit() and not _INDIRECT.search(_head(module, entity))


def _unreferred(module: ModuleText, entities: Iterable[Entity]) -> set[str]:
    """Returns the names of those entities that only their own text mentions."""
    mentions = Counter(_SYMBOL.findall(module.text))

    def is_own(entity: Entity) -> bool:
        symbol = _symbol(module, entity)
        return mentions[symbol] == _SYMBOL.findall(module.of(entity)).count(symbol)

    return {entity.name for entity in entities if is_own(entity)}


def _head(module: ModuleText, entity: Entity) -> str:
    return module.of(entity).partition("\n")[0]


def _symbol(module: ModuleText, entity: Entity) -> str:
    """Returns the entity's name as its definition spells it."""
    found = _SYMBOL.search(_head(module, entity))
    assert found is not None
    return found[0]
