"""Whether addresses of heap blocks escape: other memory than pointers in the given globals may hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...analysis.integers.offsets import base_of, global_of
from ...ir.constants import references
from ...ir.graphs import reachable
from ...ir.instructions import FUNCTION_CALLS
from ...ir.types import is_pointer
from ...ir.value_edges import DERIVED_ADDRESS, HARMLESS_TO_ADDRESS
from ...ir.values import Argument, Instruction, Value
from ...rules.memory_functions import aliases_descriptors, is_flang_runtime
from .global_users import Unclear
from .heap_holders import Holder
from .heap_origins import Origin

#: a value, and what it is: False for an address in a block; True for the address of a local variable that holds one
State = tuple[Value, bool]


def escape_of(holder: Holder, holders: Mapping[str, Holder]) -> Unclear | None:
    """Returns why a block of the holder may escape from all `holders`; None if no block does."""
    try:
        origins = [Origin(holder.round, holders, word) for word in holder.words]
        _Escapes(holder, holders).follow(origins)
    except Unclear as reason:
        return reason
    return None


class _Escapes:
    """Follows the addresses of one holder's blocks through the program. Raises Unclear if one escapes.

    The program may access memory at such an address, store it in a holder, or store it in a local variable.
    """

    def __init__(self, holder: Holder, holders: Mapping[str, Holder]) -> None:
        self.holder = holder
        self.holders = holders
        self.returning: set[str] = set()

    def follow(self, origins: list[Origin]) -> None:
        addresses = {value for origin in origins for value in (*origin.made, *origin.passed) if is_pointer(value.type)}
        starts = [(value, False) for value in (*addresses, *self.holder.loaded)]
        self.returning = set[str]().union(*(origin.returning for origin in origins))
        for _ in reachable(starts, self._after):
            pass

    def _after(self, state: State) -> list[State]:
        """Returns the states that all uses of a value lead to."""
        value, holds = state
        assert isinstance(value, Instruction | Argument)
        found: list[State] = []
        for i in value.users:
            if i.opcode == "ret":
                found += [(call, holds) for call in self._calls(_function_of(i))]
            else:
                found += self._use(i, value, holds)
        return found

    def _calls(self, name: str) -> Iterable[Instruction]:
        """Returns the calls through which a function returns an address: those of `returning` are followed anyway."""
        if name in self.holder.entered:
            return self.holder.entered[name]
        return () if name in self.returning else self.holder.users.calls(name)

    def _use(self, i: Instruction, value: Value, holds: bool) -> list[State]:
        """Returns the states that one use of a value leads to."""
        if i.opcode in HARMLESS_TO_ADDRESS:
            return []
        if i.opcode in DERIVED_ADDRESS:
            return [(i, holds)]
        if i.opcode == "load":
            return [(i, False)] if holds and is_pointer(i.type) else []
        if i.opcode == "store" and i.operands[0] != value:
            return []
        if i.opcode == "store" and not holds:
            return self._store(i.operands[1])
        if i.opcode in FUNCTION_CALLS:
            return self._call(i, value, holds)
        raise Unclear

    def _call(self, call: Instruction, value: Value, holds: bool) -> list[State]:
        name = str(call.callee)
        if not holds and _is_not_captured(call, value):
            return []
        if holds and name.startswith(("@llvm.memcpy.", "@llvm.memmove.")):
            return self._store(call.arguments[0]) if call.arguments[1] == value else []
        if is_flang_runtime(name):
            if aliases_descriptors(name):
                raise Unclear
            return []
        result = [(call, holds)] if holds and is_pointer(call.type) else []
        passed = self.holder.values_from_call(call, value, is_place=holds)
        return [*((argument, holds) for argument in passed), *result]

    def _store(self, place: Value) -> list[State]:
        """Returns the local variable in which an address is stored; nothing if it is stored in a holder."""
        inside = [h for h in self.holders.values() if place in h.places or h.name in references(place)]
        if inside:
            if all(holder.has(place) for holder in inside):
                return []
            raise Unclear
        place = base_of(place)
        if not isinstance(place, Instruction) or place.opcode != "alloca":
            raise Unclear(global_of(place))
        return [(place, True)]


def _is_not_captured(call: Instruction, value: Value) -> bool:
    given = zip(call.arguments, call.call.argument_attributes, strict=True)
    return all("captures(none)" in words for argument, words in given if argument == value)


def _function_of(i: Instruction) -> str:
    assert i.block is not None and i.block.function is not None
    return i.block.function.name
