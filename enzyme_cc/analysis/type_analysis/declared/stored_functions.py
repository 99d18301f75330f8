"""Functions that a program stores in a member of a struct whose pointers are of another type.

C programs cast them: a comparison that returns int is called as one that returns bool, a function without context as
one that takes it as its last argument. On x86-64 such a call works if the parameters that the function takes are the
first ones of the call, and if the call uses no more of the result than the function gives.

Where a pointer is loaded and where functions are stored, `!tbaa` tells members apart. Code compiled with -O0 has no
such tags.
"""

from __future__ import annotations

import re
from functools import cached_property

from ....ir.module import Module
from ....ir.types import VOID, FunctionType, IntType
from ....ir.values import Instruction, Value
from .tbaa import Tbaa

_STORE = re.compile(r'^  store ptr (@(?:[-\w$.]+|"[^"]*")), ptr [^\n]*?, !tbaa (!\d+)', re.M)


class StoredFunctions:
    """The functions that a module, whose text this is, stores in members of structs."""

    def __init__(self, text: str, module: Module) -> None:
        self._text = text
        self._module = module

    def of_other_type(self, pointer: Value, type_: FunctionType) -> tuple[str, ...]:
        """Returns those of another type that a call of this type reaches through a pointer that is loaded."""
        tag = pointer.metadata_node("!tbaa") if isinstance(pointer, Instruction) and pointer.opcode == "load" else None
        types = {name: self._module.functions[name].type for name in self._by_member.get(tag or "", ())}
        return tuple(name for name, own in types.items() if own != type_ and is_callable_as(own, type_))

    @cached_property
    def _by_member(self) -> dict[str, list[str]]:
        tbaa, found = Tbaa(self._module), dict[str, dict[str, None]]()
        for name, reference in _STORE.findall(self._text):
            tag = tbaa.tag(reference)
            if name in self._module.functions and tag is not None and tag.base != tag.access:
                found.setdefault(reference, {})[name] = None
        return {reference: list(names) for reference, names in found.items()}


def is_callable_as(function: FunctionType, call: FunctionType) -> bool:
    """Returns whether a call of another type calls the function as it is."""
    if function.vararg or call.vararg or call.params[: len(function.params)] != function.params:
        return False
    given, used = function.result, call.result
    is_narrower = isinstance(given, IntType) and isinstance(used, IntType) and used.bits <= given.bits
    return used in (VOID, given) or is_narrower
