"""Finds pointers without a shadow that may lead to memory which carries a derivative under another name.

A handle that counts as constant may hold the address of an argument that does not. What a function reads by such a
pointer would be taken for a constant. So the pointer is compared with the memory that the request knows, when the
program runs (shadow_access/compared_pointers.py). Pointers that the code only follows, passes on or compares need no
comparison, and neither do those by which it reads no number that a derivative could depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from ...ir.constants import GlobalRef
from ...ir.graphs import reachable
from ...ir.instructions import ATOMIC_UPDATES, FUNCTION_CALLS, STORES, UNWINDING
from ...ir.types import FloatType, IntType, PointerType, VectorType, holds, is_pointer
from ...ir.value_edges import NO_NUMBER, PASSED, PASSES_ON, POINTER_ORIGINS, SAME_OBJECT
from ...ir.values import Argument, Function, Instruction, Local, Value
from ...rules.knowledge import CalleeKind
from ..callees import Callees
from ..integers.offsets import global_of
from ..values.flow import uses
from .activity import Activity
from .carriers import Carriers

#: whether a pointer has a shadow
Shadowed = Callable[[Value], bool]
#: instructions of functions that are copied for comparisons alone: so many, or this part of all active functions
_LEAST_COPIED, _PART_COPIED = 2000, 4
#: numbers are not smaller
_BITS_OF_NUMBER = 16
#: may return any pointer, and may read or write behind any
_OPAQUE = (CalleeKind.CUSTOM, CalleeKind.INDIRECT, CalleeKind.ASM, CalleeKind.UNKNOWN)
_COPYING = (CalleeKind.COPY, CalleeKind.LINEAR, CalleeKind.RULE)


class OtherNames:
    """Answers for the given functions of one program, of which some are `active`: derivatives are made of them."""

    def __init__(
        self, callees: Callees, carriers: Carriers, functions: Iterable[str], active: Iterable[str] = ()
    ) -> None:
        self._callees = callees
        self._carriers = carriers
        self._functions = list(functions)
        self._parameters: dict[str, frozenset[int]] = {}
        self._calls: dict[str, list[str]] = {}
        self._copied: dict[str, bool] = {}
        self._room = max(_LEAST_COPIED, sum(map(self._size, active)) // _PART_COPIED)

    def of(self, activity: Activity) -> frozenset[Instruction]:
        """Returns the pointers of a function that must be compared."""
        return self._compared(activity.function, activity.shadowed)

    def is_copied(self, name: str) -> bool:
        """Returns whether a copy with comparisons takes the place of a function that no derivative goes into.

        It does if there are such pointers in it or in what it calls, and if all of that is not too large.
        """
        if name in self._meeting and name not in self._copied:
            found = [n for n in reachable([name], self._called) if n in self._meeting and not self._copied.get(n)]
            size = sum(map(self._size, found))
            fits = size <= self._room and all(map(self._has_clone, found))
            self._room -= size if fits else 0
            self._copied |= dict.fromkeys(found if fits else [name], fits)
        return self._copied.get(name, False)

    def _size(self, name: str) -> int:
        return sum(len(block.instructions) for block in self._callees.module.body(name).blocks)

    def _has_clone(self, name: str) -> bool:
        function = self._callees.module.body(name)
        return not function.type.vararg and not any(i.opcode in UNWINDING for i in function.instructions())

    def _called(self, name: str) -> list[str]:
        """Returns the functions with bodies that a function calls."""
        if name not in self._calls:
            calls = (i for i in self._callees.module.body(name).instructions() if i.opcode in FUNCTION_CALLS)
            callees = (self._callees.of(call) for call in calls)
            self._calls[name] = list(dict.fromkeys(c.name for c in callees if c.kind is CalleeKind.DEFINED))
        return self._calls[name]

    @cached_property
    def _meeting(self) -> frozenset[str]:
        """The functions with such pointers, and those that call them."""
        callers: dict[str, list[str]] = {}
        found: list[str] = []
        for name in self._functions:
            function = self._callees.module.body(name)
            for callee in self._called(name):
                callers.setdefault(callee, []).append(name)
            if self._compared(function, lambda pointer: False):
                found.append(name)
        return frozenset(reachable(found, lambda name: callers.get(name, ())))

    def _compared(self, function: Function, shadowed: Shadowed) -> frozenset[Instruction]:
        uses = list(self._uses(function))
        if not any(True for _ in self._origins(shadowed, [pointer for pointer, _ in uses])):
            return frozenset()
        counting = [pointer for pointer, i in uses if self._counts(shadowed, pointer, i)]
        return frozenset(self._origins(shadowed, counting))

    def _origins(self, shadowed: Shadowed, pointers: Iterable[Value]) -> Iterator[Instruction]:
        """Yields where pointers without a shadow come from that lead to the given ones."""
        for value in reachable(pointers, self._sources):
            if isinstance(value, Instruction) and self._is_origin(value) and not shadowed(value):
                yield value

    def _sources(self, pointer: Value) -> Sequence[Value]:
        if not isinstance(pointer, Instruction) or pointer.opcode not in FUNCTION_CALLS:
            return SAME_OBJECT.operands(pointer)
        is_inactive = self._callees.of(pointer).kind is CalleeKind.INACTIVE
        base = self._callees.result_base(pointer) if is_inactive else None
        return () if base is None else (base,)

    def _is_origin(self, i: Instruction) -> bool:
        if i.opcode in FUNCTION_CALLS:
            return self._callees.of(i).kind in (CalleeKind.DEFINED, *_OPAQUE) and is_pointer(i.type)
        if i.opcode not in POINTER_ORIGINS or not isinstance(i.type, PointerType):
            return False
        variable = self._callees.module.globals.get(global_of(i.operands[0]) or "") if i.opcode == "load" else None
        return variable is None or not variable.constant

    def _uses(self, function: Function) -> Iterator[tuple[Value, Instruction]]:
        """Yields pointers by which numbers may be read or written, or which are stored, with the instruction."""
        for i in function.instructions():
            if i.opcode == "load" and _may_be_number(i):
                yield i.operands[0], i
            elif i.opcode == "store":
                value, place = i.operands
                yield value if isinstance(value.type, PointerType) else place, i
            elif i.opcode == "atomicrmw":
                yield i.operands[0], i
            elif i.opcode in FUNCTION_CALLS:
                for pointer in self._used_by_call(i):
                    yield pointer, i

    def _used_by_call(self, call: Instruction) -> Iterable[Value]:
        callee = self._callees.of(call)
        if callee.kind is CalleeKind.DEFINED:
            return [call.arguments[k] for k in self._used_parameters(callee.name) if k < len(call.arguments)]
        if callee.kind is CalleeKind.FILL:
            return call.arguments[:1]
        return filter(_is_pointer, call.arguments) if callee.kind in (*_OPAQUE, *_COPYING) else ()

    def _used_parameters(self, name: str) -> frozenset[int]:
        """Returns the parameters by which a function reads or writes numbers, or which it stores."""
        if name not in self._parameters:
            self._parameters[name] = frozenset()  # of a function that calls itself
            function = self._callees.module.body(name)
            pointers = [pointer for pointer, _ in self._uses(function)]
            found = (v for v in reachable(pointers, self._sources) if isinstance(v, Argument))
            self._parameters[name] = frozenset(function.arguments.index(v) for v in found)
        return self._parameters[name]

    def _counts(self, shadowed: Shadowed, pointer: Value, i: Instruction) -> bool:
        """Returns whether a derivative may depend on what the instruction does behind a pointer, or with it."""
        if i.opcode == "load":
            if not any(True for _ in self._origins(shadowed, [pointer])):
                return False
            return self._is_number(i) and self._has_effect(i)
        if i.opcode == "store":
            value, place = i.operands
            return shadowed(place) if value is pointer else holds(value.type, FloatType)
        return True

    def _is_number(self, load: Instruction) -> bool:
        """Returns whether a number is loaded. Integers that are numbers are only moved."""
        if holds(load.type, FloatType):
            return True
        users = (u for v in uses([load], PASSED) for u in v.users)
        is_moved = any(u.opcode in PASSES_ON or u.opcode == "bitcast" for u in users)
        return is_moved and self._carriers.adjoint_type(load) is not None

    def _has_effect(self, number: Instruction) -> bool:
        """Returns whether a number is more than compared, rounded to an integer, or passed to inactive functions."""

        def users(value: Value) -> Iterable[Instruction]:
            return value.users if isinstance(value, Local) and not self._ends(value) else ()

        found = (v for v in reachable([number], users) if isinstance(v, Instruction) and v is not number)
        return any(self._passes_out(v) for v in found)

    def _ends(self, value: Value) -> bool:
        return isinstance(value, Instruction) and value.opcode in NO_NUMBER

    def _passes_out(self, i: Instruction) -> bool:
        if i.opcode in FUNCTION_CALLS:
            return self._callees.of(i).kind not in (CalleeKind.INACTIVE, CalleeKind.RULE)
        return i.opcode == "ret" or i.opcode in STORES or i.opcode in ATOMIC_UPDATES


def _is_pointer(value: Value) -> bool:
    return isinstance(value.type, PointerType) and not isinstance(value, GlobalRef)


def _may_be_number(load: Instruction) -> bool:
    type_ = load.type.element if isinstance(load.type, VectorType) else load.type
    return type_.bits >= _BITS_OF_NUMBER if isinstance(type_, IntType) else holds(type_, FloatType)
