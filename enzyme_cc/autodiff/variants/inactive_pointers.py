"""Pointers that inactive functions store behind their arguments. What they made is constant: it is its own shadow.

    void order(struct table *t) { t->order = malloc(t->n * sizeof(int)); ... }

No derivative goes into the function, so the shadow of `*t` would keep what was there before: null, or a pointer to the
shadow of memory that has gone. So a copy of the function notes at which places it stored such a pointer. Behind the
call, the caller loads it, and stores it again as what a set-up call returns. That leaves the primal as it is, and
differentiated code puts the pointer into the shadow, too.

Places are at constant distances from an argument, or from a pointer that lies at such a place. Pointers that the
function copies, which may lead to memory with a shadow, are not noted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from ...analysis.callees import Callee
from ...analysis.integers.offsets import constant_place
from ...analysis.values.flow import ends
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantWord
from ...ir.folding import int_constant, zero
from ...ir.module import Module
from ...ir.types import I64, PTR, is_pointer
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Argument, Function, Instruction, Value
from ...ir.verify import verify_module
from ...rules.knowledge import CalleeKind
from ...rules.runtime_functions import CONSTANT_MEMORY
from .rewritten_copies import Copies

_INACTIVE = "inactive"  # a part of all declarations of inactive functions


class StoredPlace(NamedTuple):
    """A place behind an argument: one offset for each pointer on the way, the first of which is the argument."""

    argument: int
    offsets: tuple[int, ...]


def with_inactive_pointers(text: str, verify: bool = False) -> str:
    """Returns the module in which differentiated code stores again what inactive functions stored.

    With `verify`, raises InvalidIR if a rewritten function is invalid.
    """
    if _INACTIVE not in text:
        return text
    module = Module.parse(text)
    copies = NotingCopies(module)
    storing = [name for name in copies.inactive_functions() if copies.places(name)]
    if not storing:
        return text
    called = re.compile("|".join(rf"{re.escape(name)}\(" for name in storing))
    for name in list(module.functions):
        function = module.functions[name]
        may_call = function.unparsed is None or called.search(function.unparsed)
        if may_call and copies.callees.has_body(name) and not copies.is_inactive(name):
            for i in [i for i in module.body(name).instructions() if i.opcode == "call"]:
                if i.callee_name in storing and not i.call.function_type.vararg:
                    copies.store_again(i)
    if verify:
        verify_module(module, "storing again what inactive functions stored")
    return str(module)


class NotingCopies(Copies):
    """Copies that note the address of each of the function's places when a pointer to new memory is stored there."""

    suffix = ".noting"
    extra = ((PTR, "notes", ""),)

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self._places: dict[str, list[StoredPlace]] = {}
        self._of_copy: list[StoredPlace] = []
        self._making: dict[str, bool] = {}
        self._variables: dict[Instruction, bool] = {}

    def is_inactive(self, name: str) -> bool:
        """Returns whether the function is declared inactive."""
        return name in self._inactive

    def inactive_functions(self) -> list[str]:
        """Returns the inactive functions that have a body."""
        return [name for name in sorted(self._inactive) if self.callees.has_body(name)]

    def places(self, name: str) -> list[StoredPlace]:
        """Returns the places where a call of the function may leave new memory, itself or in calls that it makes."""
        if name not in self._places:
            self._places[name] = []  # for a function that calls itself
            stored = chain.from_iterable(map(self._stored, self.module.body(name).instructions()))
            self._places[name] = list(dict.fromkeys(place for place in stored if place is not None))
        return self._places[name]

    def _stored(self, i: Instruction) -> list[StoredPlace | None]:
        """Returns the places where an instruction leaves new memory; None for one that is not behind an argument."""
        if i.opcode == "store":
            stored = i.operands[0]
            is_new = is_pointer(stored.type) and not isinstance(stored, Constant) and self._is_made(stored)
            return [_place(i.operands[1])] if is_new else []
        if not self._is_followed(i):
            return []
        return [_place(i.arguments[argument], offsets) for argument, offsets in self.places(i.callee_name)]

    def _is_followed(self, i: Instruction) -> bool:
        if i.opcode != "call" or i.call.function_type.vararg or not self.callees.has_body(i.callee_name):
            return False
        return any(is_pointer(a.type) and _place(a) is not None for a in i.arguments)

    # -- copies

    def rewrite(self, copy: Function) -> None:
        """See `Copies`."""
        self._of_copy = next(self.places(name) for name, made in self._copies.items() if made is copy)
        super().rewrite(copy)

    def instruction(self, i: Instruction, more: Sequence[Argument]) -> None:
        if i.opcode != "store" or not is_pointer(i.operands[0].type):
            return
        place = _place(i.operands[1])
        if place in self._of_copy:
            b = Builder.after(i)
            address = b.cast("ptrtoint", i.operands[1], I64) if self._is_made(i.operands[0]) else zero(I64)
            b.store(address, self._note(b, more[0], place))

    def defined(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        """Calls a noting copy, and takes over what it notes."""
        inner = self._stored(i)
        if not any(place in self._of_copy for place in inner):
            return
        notes, call = self._call_noting(i)
        for k, place in enumerate(inner):
            if place in self._of_copy:  # others are those of a function that calls itself
                b = Builder.after(call)
                own, given = self._note(b, more[0], place), b.load(I64, b.offset(notes, 8 * k))
                is_given = b.icmp("ne", given, zero(I64))
                b.store(b.select(is_given, given, b.load(I64, own)), own)

    def math(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        """Leaves the call as it is."""

    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        """Leaves the call as it is."""

    def _is_made(self, value: Value) -> bool:
        """Returns whether the pointer is null, or leads to new memory."""
        return all(map(self._is_new, ends([value], SAME_OBJECT)))

    def _is_new(self, value: Value) -> bool:
        if not isinstance(value, Instruction):
            return isinstance(value, ConstantWord)
        if value.opcode == "load":
            return self._keeps_new(value.operands[0])
        return value.opcode == "call" and self._makes(self.callees.of(value))

    def _keeps_new(self, variable: Value) -> bool:
        """Returns whether it is a local variable in which only such pointers are stored, by this function alone."""
        if not isinstance(variable, Instruction) or variable.opcode != "alloca":
            return False
        if variable not in self._variables:
            self._variables[variable] = True  # for a pointer that comes from there
            self._variables[variable] = all(self._is_harmless(user, variable) for user in variable.users)
        return self._variables[variable]

    def _is_harmless(self, user: Instruction, variable: Instruction) -> bool:
        if user.opcode == "store":
            return user.operands[1] is variable and self._is_made(user.operands[0])
        return user.opcode == "load" or user.is_lifetime_marker

    def _makes(self, callee: Callee) -> bool:
        """Returns whether the function returns null or new memory: it allocates, or it calls only what does."""
        if callee.kind is not CalleeKind.DEFINED:
            return callee.kind in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE)
        if callee.name not in self._making:
            self._making[callee.name] = True  # for a function that calls itself
            lasts = [block.terminator for block in self.module.body(callee.name).blocks]
            results = [end.operands[0] for end in lasts if end.opcode == "ret"]
            self._making[callee.name] = all(map(self._is_made, results))
        return self._making[callee.name]

    def _note(self, b: Builder, notes: Value, place: StoredPlace) -> Value:
        return b.offset(notes, 8 * self._of_copy.index(place))

    def _call_noting(self, i: Instruction) -> tuple[Value, Instruction]:
        """Replaces a call by one of the copy. Returns its notes, which are zero before, and the call."""
        assert i.block is not None and i.block.function is not None
        count = len(self.places(i.callee_name))
        notes = Builder.first(i.block.function.entry).alloca(I64, int_constant(count))
        b = Builder.before(i)
        for k in range(count):
            b.store(zero(I64), b.offset(notes, 8 * k))
        return notes, self.redirect(i, i.callee_name, [notes])

    # -- callers

    def store_again(self, i: Instruction) -> None:
        """Lets a call note where it stores pointers, and stores them again behind it."""
        assert i.block is not None and i.block.function is not None
        places, name = self.places(i.callee_name), i.callee_name
        nowhere = Builder.first(i.block.function.entry).alloca(PTR)
        Builder.before(i).store(zero(PTR), nowhere)
        notes, call = self._call_noting(i)
        self.copy(name)
        CONSTANT_MEMORY.declare(self.module)
        b = Builder.after(call)
        for k, (argument, offsets) in enumerate(places):
            noted = b.load(I64, b.offset(notes, 8 * k))
            place = call.arguments[argument]
            for step, offset in enumerate(offsets):
                if step:  # a pointer on the way may be null where nothing was stored
                    place = b.load(PTR, b.select(b.icmp("ne", noted, zero(I64)), place, nowhere))
                place = b.offset(place, offset, ())
            is_there = b.icmp("eq", b.cast("ptrtoint", place, I64), noted)
            place = b.select(b.int_op("and", is_there, b.icmp("ne", noted, zero(I64))), place, nowhere)
            b.store(CONSTANT_MEMORY.call(b, b.load(PTR, place)), place)


def _place(pointer: Value, offsets: tuple[int, ...] = (0,)) -> StoredPlace | None:
    """Returns the place that these offsets lead to from the pointer; None if it is not behind an argument.

    There is one pointer on the way at most: behind others, nothing tells whether they still are what they were.
    """
    base, distance = constant_place(pointer)
    offsets = (distance + offsets[0], *offsets[1:])
    if isinstance(base, Argument):
        return StoredPlace(base.index, offsets)
    if not isinstance(base, Instruction) or base.opcode != "load" or len(offsets) > 1:
        return None
    return _place(base.operands[0], (0, *offsets))
