"""Reads the link's answer to which functions a call through a pointer may reach, for all passes of a module.

The link decides which functions are there: it follows their addresses through all units
(link/participants/pointers/), and writes the functions that calls may reach into tables of the merged
module. So the answer travels with the module's text. It is read here, together with the addresses that the module
itself takes. Dispatchers (autodiff/normalise/indirect_calls.py), unwinding, watched copies and type analysis ask it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property

from msgspec import Struct

from ..ir.module import Module
from ..ir.types import FunctionType
from ..ir.vtables import VTABLE_DEFINITION, vtable_slots

_MENTION = re.compile(r'(@(?:[-\w$.]++|"[^"]*"))(?!\()')
_AS_INTEGER = re.compile(r'ptrtoint \(ptr (@(?:[-\w$.]+|"[^"]*")) to i64\)')
_REQUEST_ARGUMENT = re.compile(r'__enzyme_[-\w$."]*\((?:ptr|i64) [^@,]*@(?:[-\w$.]+|"[^"]*")')


class Target(Struct, frozen=True):
    """What a call through a pointer tells about its target.

    `from_integer`: the pointer comes from an integer in memory. Then only functions whose address is taken as an
    integer are candidates, if there are any. flang's tables of type-bound procedures have this form.
    `slot`: the pointer is loaded from that slot of a vtable.
    `others`: functions of other types that the call reaches, too (type_analysis/declared/stored_functions.py).
    `unequal`: functions that the pointer was compared with: it holds none of their addresses.
    """

    type: FunctionType
    from_integer: bool = False
    slot: int | None = None
    others: tuple[str, ...] = ()
    unequal: tuple[str, ...] = ()


class PointedFunctions(Struct, frozen=True, dict=True):
    """The functions whose address a module takes, in the order of their mentions.

    `slots`: the slots of vtables that hold each. `elsewhere`: those that something other than a vtable holds.
    `as_integers`: those whose address is taken as an integer.
    """

    types: Mapping[str, FunctionType]
    slots: Mapping[str, frozenset[int]]
    elsewhere: frozenset[str]
    as_integers: frozenset[str]

    @staticmethod
    def read(text: str, module: Module) -> PointedFunctions:
        """Returns the answer for a module and its text. The function that a request names is no candidate."""
        slots, without_requests = _slots_of_vtables(text), _REQUEST_ARGUMENT.sub("", text)
        names = [n for n in dict.fromkeys(_MENTION.findall(without_requests)) if n in module.functions]
        elsewhere = _MENTION.findall(VTABLE_DEFINITION.sub("", without_requests)) if slots else names
        types = {name: module.functions[name].type for name in names}
        return PointedFunctions(types, slots, frozenset(elsewhere), frozenset(_AS_INTEGER.findall(text)))

    @cached_property
    def _by_type(self) -> dict[FunctionType, list[str]]:
        found: dict[FunctionType, list[str]] = {}
        for name, type_ in self.types.items():
            found.setdefault(type_, []).append(name)
        return found

    def of_type(self, type_: FunctionType) -> list[str]:
        return self._by_type.get(type_, [])

    def candidates(self, target: Target, without: Collection[str] = ()) -> list[str]:
        """Returns the functions that a call may reach, but for those that never are candidates."""
        fitting = [name for name in self.of_type(target.type) if name not in without]
        if target.slot is not None:
            return [n for n in fitting if n in self.elsewhere or target.slot in self.slots.get(n, ())]
        integers = [n for n in fitting if n in self.as_integers] if target.from_integer else []
        return integers or fitting


def _slots_of_vtables(text: str) -> dict[str, frozenset[int]]:
    """Returns the slots in which vtables hold each function."""
    slots: dict[str, frozenset[int]] = {}
    for vtable in VTABLE_DEFINITION.findall(text):
        for name, slot in vtable_slots(vtable):
            slots[name] = slots.get(name, frozenset()) | {slot}
    return slots
