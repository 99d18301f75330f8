"""Reduces the module of a unit to what the merged module borrows of it (participants/borrowed.py).

What is not borrowed becomes internal, so that LLVM drops it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain

import llvmlite.binding as llvm
from msgspec import Struct

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.module_text import Entity
from enzyme_cc.link.inputs.units import Linked, Unit
from enzyme_cc.link.participants.borrowed import Borrowed
from enzyme_cc.link.participants.pointers.pointer_targets import first_type, type_of_definition

_VARIABLE = re.compile(r"@[^\n]*?(?<= )(?:global|constant) ")
_LOCAL = (llvm.Linkage.internal, llvm.Linkage.private)
# Unused definitions of these linkages are dropped; those on the right stay.
_LASTING = {llvm.Linkage.linkonce_any: llvm.Linkage.weak_any, llvm.Linkage.linkonce_odr: llvm.Linkage.weak_odr}
_PASSING = {lasting: passing for passing, lasting in _LASTING.items()}


def reduce_to(borrowed: Borrowed, module: llvm.ModuleRef, unit: Unit, linked: Linked) -> frozenset[str]:
    """Reduces the module of a unit in place, and returns the symbols that its native code defines for it."""
    native = {*borrowed.shared.values(), *(name for name in borrowed.aliases if linked.definers.get(name) is unit)}
    hidden = {} if unit.carrier is None else unit.carrier.hidden
    for value in chain(module.functions, module.global_variables):
        name = value.name.removeprefix("\x01")
        if name in borrowed.shared:
            value.name = borrowed.shared[name]
            value.linkage = llvm.Linkage.external
        elif value.is_declaration:
            value.name = hidden.get(name, value.name)
        elif value.linkage is llvm.Linkage.appending:
            value.name, value.linkage = f"{name}.unused", llvm.Linkage.internal
        elif name in borrowed.own.bodies:
            if name in borrowed.own.again:
                value.linkage = _LASTING.get(value.linkage, value.linkage)
        elif name in borrowed.copied:
            value.linkage = llvm.Linkage.internal
        elif name in borrowed.names:
            if value.linkage not in _LOCAL and linked.definers.get(name) is unit:
                native.add(name)
                value.linkage = _LASTING.get(value.linkage, value.linkage)
        elif linked.definers.get(name) in (unit, None) and value.linkage is not llvm.Linkage.available_externally:
            value.linkage = llvm.Linkage.internal
        else:
            value.linkage = _PASSING.get(value.linkage, value.linkage)
    llvm_passes.run_passes(module, "globaldce")
    return frozenset(native)


def unused_aliases(borrowed: Borrowed, unit: Unit, linked: Linked) -> frozenset[str]:
    """Returns the aliases of a unit that are not borrowed: each would keep its definition, and all that this reaches.

    C++ has one for each constructor.
    """
    return frozenset(n for n in borrowed.aliases - borrowed.names if linked.definers.get(n) in (unit, None))


class Loans(Struct, frozen=True):
    """The borrowed definitions of a merged module: symbols that native code in the link defines.

    `written` are the variables among them that may change. `types` are the types of functions in LLVM's text. Of
    functions that the merged module has itself, those that are compiled `again` take the place of native ones, and
    `visible` ones keep their names.
    """

    symbols: frozenset[str]
    written: frozenset[str]
    types: Mapping[str, str]
    again: frozenset[str] = frozenset()
    visible: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        symbols: frozenset[str],
        fixed: frozenset[str],
        again: frozenset[str],
        visible: frozenset[str],
        module: llvm.ModuleRef,
    ) -> Loans:
        """Returns the loans of a merged module. `fixed` are variables that do not change."""
        own = {f.name: f for f in module.functions if f.name in symbols}
        variables = {v.name for v in module.global_variables if v.name in symbols}
        types = {name: str(f.global_value_type) for name, f in own.items()}
        return cls(symbols, frozenset(variables) - fixed, types, again, visible)

    def kept(self, is_kept: Callable[[str, bool], bool]) -> Callable[[str, bool], bool]:
        """Returns which symbols stay visible: variables that are borrowed, and what else `is_kept` accepts."""

        def is_kept_here(name: str, is_hidden: bool) -> bool:
            is_own = name in self.written or name in self.visible
            return is_own or (name not in self.symbols and is_kept(name, is_hidden))

        return is_kept_here


def type_in_text(entity: Entity, text: str) -> str:
    """Returns the type of a function or a variable from its definition."""
    if entity.is_function:
        return type_of_definition(text)
    found = _VARIABLE.match(text)
    assert found is not None, text
    return first_type(text[found.end() :].partition("\n")[0])
