"""Reduces the module of a unit to what the merged module borrows of it (participants/borrowed.py), and gives it back.

What is not borrowed becomes internal, so that LLVM drops it. A borrowed function is two functions in the merged module:

- What the program itself calls is the native one: a declaration. So no pass of LLVM can change what these calls pass.
- What requests reach is an internal body. LLVM may optimise it as it likes, also its interface. After differentiation,
  it is a copy that only derivatives call, if they do.

All addresses mean the native function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import llvmlite.binding as llvm

from enzyme_cc.ir import passes
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted
from enzyme_cc.link.inputs.units import Linked, Unit
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.borrowed import Borrowed
from enzyme_cc.link.participants.pointer_targets import first_type, type_of_definition

# A reference: the name of a call's callee stands before a bracket. Strings are matched, too: they may contain a name.
_USE = re.compile(rf'(?<!@)"[^"\n]*"|(?P<place>\bblockaddress\()?@(?P<name>{NAME})(?P<call>\(?)')
# The native function behind a borrowed one is called this and then its name, until all are given back.
_NATIVE = "native."
# The body that derivatives call has this behind its name then.
_COPY = ".copy"
_VARIABLE = re.compile(r"@[^\n]*?(?<= )(?:global|constant) ")
_LOCAL = (llvm.Linkage.internal, llvm.Linkage.private)
# Unused definitions of these linkages are dropped; those on the right stay.
_LASTING = {llvm.Linkage.linkonce_any: llvm.Linkage.weak_any, llvm.Linkage.linkonce_odr: llvm.Linkage.weak_odr}
_PASSING = {lasting: passing for passing, lasting in _LASTING.items()}


def reduce_to(borrowed: Borrowed, module: llvm.ModuleRef, unit: Unit, linked: Linked) -> frozenset[str]:
    """Reduces the module of a unit in place, and returns the symbols that its native code defines for it."""
    native = {*borrowed.shared.values(), *(name for name in borrowed.aliases if linked.definers.get(name) is unit)}
    for value in chain(module.functions, module.global_variables):
        name = value.name.removeprefix("\x01")
        if name in borrowed.shared:
            value.name = borrowed.shared[name]
            value.linkage = llvm.Linkage.external
        elif value.is_declaration:
            continue
        elif value.linkage is llvm.Linkage.appending:
            value.name, value.linkage = f"{name}.unused", llvm.Linkage.internal
        elif name in borrowed.names:
            if value.linkage not in _LOCAL and linked.definers.get(name) is unit:
                native.add(name)
                value.linkage = _LASTING.get(value.linkage, value.linkage)
        elif linked.definers.get(name) in (unit, None) and value.linkage is not llvm.Linkage.available_externally:
            value.linkage = llvm.Linkage.internal
        else:
            value.linkage = _PASSING.get(value.linkage, value.linkage)
    passes.run_passes(module, "globaldce")
    return frozenset(native)


def unused_aliases(borrowed: Borrowed, unit: Unit, linked: Linked) -> frozenset[str]:
    """Returns the aliases of a unit that are not borrowed: each would keep its definition, and all that this reaches.

    C++ has one for each constructor.
    """
    return frozenset(n for n in borrowed.aliases - borrowed.names if linked.definers.get(n) in (unit, None))


@dataclass(frozen=True)
class Loans:
    """The borrowed definitions of a merged module: symbols that native code in the link defines.

    `written` are the variables among them that may change. `types` are the types of functions in LLVM's text.
    """

    symbols: frozenset[str]
    written: frozenset[str]
    types: Mapping[str, str]

    @classmethod
    def of(cls, symbols: frozenset[str], fixed: frozenset[str], module: llvm.ModuleRef) -> Loans:
        """Returns the loans of a merged module. `fixed` are variables that do not change."""
        own = {f.name: f for f in module.functions if f.name in symbols}
        variables = {v.name for v in module.global_variables if v.name in symbols}
        return cls(symbols, frozenset(variables) - fixed, {name: str(f.global_value_type) for name, f in own.items()})

    def kept(self, is_kept: Callable[[str, bool], bool]) -> Callable[[str, bool], bool]:
        """Returns which symbols stay visible: variables that are borrowed, and what else `is_kept` accepts."""

        def is_kept_here(name: str, is_hidden: bool) -> bool:
            return name in self.written or (name not in self.symbols and is_kept(name, is_hidden))

        return is_kept_here

    def with_native_calls(self, text: str) -> str:
        """Returns the text in which functions that no request reaches call the native functions, by other names.

        These have no bodies here. So no pass of LLVM can use what it knows of a body, or change what a call passes.
        """
        module = ModuleText(text)
        lent, called = self._lent(module), set[str]()
        others = {e.name for e in module.entities.values()} - {e.name for e in reached_by_requests(module)}

        def native(found: re.Match[str]) -> str:
            if found["call"] and found["name"] and (name := unquoted(found["name"])) in lent:
                called.add(name)
                return f"@{quoted(_NATIVE + name)}("
            return found[0]

        def change(entity: Entity, body: str) -> str | None:
            if not (entity.is_definition and entity.is_function and entity.name in others):
                return None
            head, newline, rest = body.partition("\n")
            return head + newline + _USE.sub(native, rest)

        changed = linkage.edit(module, change)
        lines = [self._declaration(lent[name], _NATIVE + name) for name in sorted(called)]
        return "\n".join([changed, *lines, ""]) if lines else changed

    def given_back(self, text: str) -> str:
        """Returns the text in which the bodies of borrowed functions are copies that only derivatives call.

        All addresses, and the calls of the program itself, mean the native functions. Variables are declared.
        """
        module = ModuleText(text)
        lent = self._lent(module)
        values = [e.name for name in self.symbols - lent.keys() if (e := module.entities.get(name)) and e.is_definition]
        module = ModuleText(linkage.declared(module, values, lambda entity: type_in_text(entity, module.of(entity))))
        addressed: set[str] = set()

        def other(found: re.Match[str]) -> str:
            if not found["name"]:
                return found[0]
            name = unquoted(found["name"])
            if name.startswith(_NATIVE):
                return f"@{quoted(name.removeprefix(_NATIVE))}{found['call']}"
            if name not in lent:
                return found[0]
            if found["call"] or found["place"]:
                return f"{found['place'] or ''}@{quoted(name + _COPY)}{found['call']}"
            addressed.add(name)
            return found[0]

        def change(entity: Entity, body: str) -> str | None:
            if entity.name not in lent:
                return None
            head, newline, rest = body.partition("\n")
            return linkage.with_linkage(head, "internal") + newline + rest

        changed = _USE.sub(other, linkage.edit(module, change))
        declared = {name.removeprefix(_NATIVE) for name in module.entities if name.startswith(_NATIVE)}
        lines = [self._declaration(lent[name], name) for name in sorted(addressed - declared)]
        return "\n".join([changed, *lines, ""])

    def _lent(self, module: ModuleText) -> dict[str, Entity]:
        """Returns the borrowed functions that the module defines."""
        found = {name: module.entities.get(name) for name in self.types}
        return {name: e for name, e in found.items() if e is not None and e.is_function and e.is_definition}

    def _declaration(self, entity: Entity, name: str) -> str:
        return linkage.declaration(replace(entity, name=name), lambda _: self.types[entity.name], "")


def type_in_text(entity: Entity, text: str) -> str:
    """Returns the type of a function or a variable from its definition."""
    if entity.is_function:
        return type_of_definition(text)
    found = _VARIABLE.match(text)
    assert found is not None, text
    return first_type(text[found.end() :].partition("\n")[0])
