"""Calls of type-bound procedures of Fortran in LLVM's text: which slot of a binding table they load.

The descriptor of a polymorphic object leads to the description of its type. That begins with the address of the table
of the type's bindings (flang's module __fortran_type_info). A binding begins with the address of the procedure, as an
integer. Optimised text counts bytes; other text names the types.
"""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import NAME

_LOCAL = rf"%(?:{NAME})"
_FROM_INTEGER = re.compile(rf"^  ({_LOCAL}) = inttoptr i64 ({_LOCAL}) to ptr", re.M)
_LOAD = re.compile(rf"^  ({_LOCAL}) = load (?:i64|ptr), ptr ({_LOCAL})(?=,|$)", re.M)
_MOVED = re.compile(rf"^  ({_LOCAL}) = getelementptr (?:inbounds )?(?:nuw )?i8, ptr ({_LOCAL}), i64 (\d+)(?=,|$)", re.M)
_FIRST = re.compile(
    rf"^  ({_LOCAL}) = getelementptr %\w+T(?:binding|__builtin_c_funptr)(?:\.\d+)?, ptr ({_LOCAL}), i32 0, i32 0"
    r"(?=,|$)",
    re.MULTILINE,
)
_ENTRY = re.compile(
    rf"^  ({_LOCAL}) = getelementptr %\w+_type_infoTbinding(?:\.\d+)?, ptr {_LOCAL}, i64 (\d+)(?=,|$)", re.M
)
#: bytes of a binding: the procedure, and the descriptor of its name
_BINDING_BYTES = 32


class Bindings(Struct, frozen=True, dict=True):
    """The places in a function's text from which it loads procedures."""

    text: str

    def is_from_integer(self, pointer: str) -> bool:
        return pointer in self._from_integers

    def slot(self, pointer: str) -> int | None:
        """Returns the slot of the binding table that a pointer was loaded from; None if it is not seen to be one."""
        place = self._loads.get(self._from_integers[pointer], "")
        while place in self._first:
            place = self._first[place]
        if place in self._entries:
            return self._entries[place]
        table, offset = self._moved.get(place, (place, 0))
        description = self._loads.get(table)
        if offset % _BINDING_BYTES or description is None or description not in self._loads:
            return None
        return offset // _BINDING_BYTES

    @cached_property
    def _from_integers(self) -> dict[str, str]:
        return dict(_FROM_INTEGER.findall(self.text)) if "inttoptr" in self.text else {}

    @cached_property
    def _loads(self) -> dict[str, str]:
        return dict(_LOAD.findall(self.text))

    @cached_property
    def _moved(self) -> dict[str, tuple[str, int]]:
        return {place: (base, int(offset)) for place, base, offset in _MOVED.findall(self.text)}

    @cached_property
    def _first(self) -> dict[str, str]:
        return dict(_FIRST.findall(self.text))

    @cached_property
    def _entries(self) -> dict[str, int]:
        return {place: int(slot) for place, slot in _ENTRY.findall(self.text)}
