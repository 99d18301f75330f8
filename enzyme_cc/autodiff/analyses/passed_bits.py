"""Finds calls that pass or return bits of numbers as integers, where arithmetic with these makes numbers again.

Integer arithmetic on the bits of numbers is followed inside of one function only (normalise/bits/number_bits.py). So
the functions that are called this way are inlined (optimise/force_inlining.py). Bits are passed in registers, or in
local memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ...analysis.callees import Callees
from ...analysis.integers.bit_steps import COMPUTING, NOTHING, float_like, keeps_lanes, takes_bits, width
from ...analysis.integers.bits import ENDS, HeldBits
from ...analysis.integers.offsets import addresses_from, base_of
from ...ir.graphs import reachable
from ...ir.types import ArrayType, NamedStruct, PointerType, StructType
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.knowledge import CalleeKind

#: bits of numbers that integers may stand for
_SIZES = (32, 64)


def functions_given_bits(callees: Callees, functions: Iterable[Function]) -> set[str]:
    """Returns the functions with bodies that other functions of these give such bits, or get them from."""
    return _BitFlow(callees, list(functions)).passed()


class _BitFlow:
    """How bits of numbers go through the integers of several functions.

    The nodes are integers, structs of them, and pointers to memory: local variables, and parameters that point to them.
    """

    def __init__(self, callees: Callees, functions: list[Function]) -> None:
        self._bodies = {function.name: function for function in functions}
        self._parameters = {a: function.name for function in functions for a in function.arguments}
        self._calls: dict[str, list[Instruction]] = defaultdict(list)
        self._callee: dict[Value, str] = {}
        self._results: dict[str, list[Value]] = defaultdict(list)
        self._held: dict[Function, HeldBits | None] = {}
        self._takes: list[Value] = []
        self._makes: list[Value] = []
        for function in functions:
            for i in function.instructions():
                self._note(callees, function, i)

    def _note(self, callees: Callees, function: Function, i: Instruction) -> None:
        if i.opcode == "call":
            callee = callees.of(i)
            if callee.kind is CalleeKind.DEFINED and callee.name in self._bodies:
                self._calls[callee.name].append(i)
                self._callee[i] = callee.name
        elif i.opcode == "ret":
            self._results[function.name] += i.operands
        elif takes_bits(i):
            self._takes.append(i)
            self._held[function] = None  # found when it is asked about
        elif i.opcode == "bitcast" and float_like(i.type) is not None and width(i.operands[0].type) and keeps_lanes(i):
            self._makes.append(i.operands[0])
        elif i.opcode == "store" and width(i.operands[0].type) in _SIZES:
            self._makes.append(i.operands[0])  # where other code may read a number

    def passed(self) -> set[str]:
        """Returns the functions that get bits or return them, on a way that leads to numbers.

        Arithmetic or memory lies on that way: integers that are only passed on have adjoints, but TBAA tells of memory
        that it holds integers.
        """
        if not self._takes or not self._makes or not self._calls:
            return set()
        made = reachable(self._makes, self._origins)
        both = set(reachable(self._takes, self._uses)).intersection(made)
        computed = [v for v in both if v not in self._callee and (_computes(v) or isinstance(v.type, PointerType))]
        found = {
            *reachable(computed, lambda v: both.intersection(self._uses(v))),
            *reachable(computed, lambda v: both.intersection(self._origins(v))),
        }
        return {
            name
            for name, calls in self._calls.items()
            if any(call in found for call in calls) or not found.isdisjoint(self._bodies[name].arguments)
        }

    def _uses(self, value: Value) -> Iterable[Value]:
        """Yields what the bits of an integer, or in memory, reach in one step."""
        if isinstance(value.type, PointerType):
            yield from self._same_memory(value)
            yield from (u for p in _addresses(value) for u in p.users if u.opcode == "load" and _holds_integers(u))
            return
        for user in value.users if isinstance(value, Instruction | Argument) else ():
            if user in self._callee:
                yield from (formal for formal, actual in self._passed(user) if actual is value)
            elif user.opcode == "ret":
                function = user.block.function if user.block is not None else None
                yield from self._calls[function.name] if function is not None else ()
            elif user.opcode == "store":
                yield from _local(user.operands[1])
            elif user.opcode not in ENDS and _holds_integers(user) and not self._has_no_slope(user):
                yield user

    def _origins(self, value: Value) -> Iterable[Value]:
        """Yields what an integer, or one in memory, is made of in one step."""
        if isinstance(value.type, PointerType):
            yield from self._same_memory(value)
            stores = (u for p in _addresses(value) for u in p.users if u.opcode == "store" and u.operands[1] is p)
            yield from (store.operands[0] for store in stores if _holds_integers(store.operands[0]))
        elif isinstance(value, Argument):
            yield from self._passed_as(value)
        elif value in self._callee:
            yield from self._results[self._callee[value]]
        elif isinstance(value, Instruction) and value.opcode == "load":
            yield from _local(value.operands[0])
        elif isinstance(value, Instruction) and value.opcode not in ENDS:
            yield from filter(_holds_integers, value.operands)

    def _same_memory(self, pointer: Value) -> Iterator[Value]:
        """Yields the parameters that the pointer is passed as, and the pointers that are passed as it."""
        for p in _addresses(pointer):
            for call in (u for u in p.users if u in self._callee):
                yield from (formal for formal, actual in self._passed(call) if actual is p)
        for actual in self._passed_as(pointer) if isinstance(pointer, Argument) else ():
            yield from _local(actual)

    def _passed(self, call: Instruction) -> Iterable[tuple[Argument, Value]]:
        """Returns parameters and what the call passes as them; variable arguments have no parameters."""
        return zip(self._bodies[self._callee[call]].arguments, call.arguments, strict=False)

    def _passed_as(self, parameter: Argument) -> Iterator[Value]:
        calls = self._calls[self._parameters[parameter]]
        return (actual for call in calls for formal, actual in self._passed(call) if formal is parameter)

    def _has_no_slope(self, i: Instruction) -> bool:
        function = i.block.function if i.block is not None else None
        if function is None or function not in self._held:
            return False
        held = self._held[function] = self._held[function] or HeldBits(function)
        return held.held.get(i) is NOTHING


def _computes(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode in COMPUTING


def _holds_integers(value: Value) -> bool:
    return width(value.type) > 1 or isinstance(value.type, StructType | NamedStruct | ArrayType)


def _addresses(base: Value) -> Iterable[Instruction | Argument]:
    return addresses_from(base) if isinstance(base, Instruction | Argument) else ()


def _local(place: Value) -> Iterator[Value]:
    """Yields the local variable, or the parameter, that the pointer points into."""
    base = base_of(place)
    if isinstance(base, Argument) or (isinstance(base, Instruction) and base.opcode == "alloca"):
        yield base
