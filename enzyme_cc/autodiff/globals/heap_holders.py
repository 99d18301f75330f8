"""Globals that hold addresses of heap blocks: which values the program loads from their pointers and stores in them.

The address of a global is followed into the functions that it is passed to, such as member functions of an object.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

from ...analysis.callees import plain_name
from ...analysis.integers.offsets import Offset, moved, offset_of
from ...ir.constants import Constant, ConstantExpr, ConstantInt, GlobalRef, references
from ...ir.folding import is_zero
from ...ir.instructions import COPIES, FUNCTION_CALLS, POINTER_TO_INTEGER
from ...ir.types import IntType, alloc_size, is_pointer, store_size
from ...ir.value_edges import MEASURES
from ...ir.values import Argument, Instruction, Value
from ...rules.control_functions import runs_at_exit
from ...rules.memory_functions import aliases_descriptors, heap_family, is_flang_runtime
from ..core.pointers import POINTER_BYTES, GlobalPointer
from ..core.round import PreparedRound
from .global_users import Unclear, Users

#: the most offsets of one value, and the most pointers of one global, that are distinguished
MANY = 100

#: addresses in a global, each with its offset
GlobalPlaces = list[tuple[Instruction | Argument, Offset]]


class Holder:
    """One global with pointers, and all accesses to it.

    - `words`: its pointers.
    - `loaded`: pointers that the program loads from the global, and from which offsets; `stored`: the same for stores.
    - `places`: values that are addresses in the global, and of which offsets.
    - `entered`: functions that are passed an address in the global or in a block, and the calls that pass it.
    - `returned`: functions that return addresses in the global, and of which offsets.
    """

    def __init__(self, round: PreparedRound, users: Users, name: str, pointers: list[int]) -> None:
        self.round = round
        self.users = users
        self.name = name
        self.words = [GlobalPointer(name, offset) for offset in pointers]
        self.loaded: dict[Value, set[Offset]] = defaultdict(set)
        self.stored: dict[Value, set[Offset]] = defaultdict(set)
        self.places: dict[Value, set[Offset]] = defaultdict(set)
        self.entered: dict[str, set[Instruction]] = defaultdict(set)
        self.returned: dict[str, set[Offset]] = defaultdict(set)

    def follow(self, users: Iterable[Instruction | None]) -> bool:
        """Finds all loads from the global and stores to it. Returns False if an access is unclear.

        `users`: the instructions that name the global.
        """
        try:
            for i in users:
                self._follow_place(i)
        except Unclear:
            return False
        return True

    def loaded_from(self, word: GlobalPointer) -> list[Value]:
        return [value for value, places in self.loaded.items() if _may_be(word, places)]

    def stored_in(self, word: GlobalPointer) -> list[Value]:
        return [value for value, places in self.stored.items() if _may_be(word, places)]

    def words_of(self, load: Value) -> list[GlobalPointer]:
        """Returns the pointers that a load may read."""
        places = self.loaded.get(load, ())
        return [word for word in self.words if _may_be(word, places)]

    def has(self, place: Value) -> bool:
        """True if a value certainly is the address of one of the pointers."""
        places = {self._offset(place)} if isinstance(place, Constant) else self.places.get(place, set())
        known = {word.offset for word in self.words}
        size = alloc_size(self.round.source.globals[self.name].value_type)
        return bool(places) and all(_positions(offset, size) <= known for offset in places)

    # -- uses of the global's address

    def _follow_place(self, first: Instruction | None) -> None:
        if first is None:
            raise Unclear
        work: list[tuple[Instruction, Value, Offset]] = []
        for operand in first.operands:
            if isinstance(operand, Constant) and self.name in references(operand):
                work.append((first, operand, self._offset(operand)))
        while work:  # a value has several offsets, up to a limit
            for value, offset in self._use_of_place(*work.pop()):
                known = self.places[value]
                at = offset if len(known) < MANY else None
                if at not in known and None not in known:
                    known.add(at)
                    work += [(user, value, at) for user in value.users]

    def _offset(self, place: Constant) -> Offset:
        if isinstance(place, GlobalRef):
            return 0
        if not isinstance(place, ConstantExpr) or place.opcode != "getelementptr" or place.source is None:
            raise Unclear
        return moved(self._offset(place.operands[0]), offset_of(place.source, place.operands[1:]))

    def _use_of_place(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        """Returns the addresses in the global that an instruction derives from one."""
        use = _USES_OF_PLACE.get(i.opcode)
        if use is None:
            raise Unclear
        return use(self, i, place, offset)

    def _load_from(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        self._note(self.loaded, i, offset)
        return []

    def _store_to(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        value = i.operands[0]
        if value == place:
            raise Unclear
        if not isinstance(value, Constant) or not is_zero(value):
            self._note(self.stored, value, offset)
        return []

    def _compare(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        return []

    def _move(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        if any(index == place for index in i.operands[1:]):
            raise Unclear
        return [(i, moved(offset, offset_of(i.source_type, i.operands[1:])))]

    def _measure(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        if any(user.opcode not in MEASURES for user in i.users):
            raise Unclear
        return []

    def _choose(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        return [(i, offset)]

    def _call_with(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        if self._needs_no_following(i, offset):
            return []
        given = [(argument, offset) for argument in self.values_from_call(i, place, is_place=True)]
        return [*given, *((i, at) for at in self.returned[str(i.callee)])]

    def _return(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        assert i.block is not None and i.block.function is not None
        name = i.block.function.name
        self.returned[name].add(offset)
        return [(call, offset) for call in self.entered[name]]

    def _note(self, found: dict[Value, set[Offset]], value: Value, offset: Offset) -> None:
        if is_pointer(value.type):
            found[value].add(offset)
        elif isinstance(offset, int):
            if self._meets(offset, store_size(value.type)):
                raise Unclear
        elif isinstance(value.type, IntType) and value.type.bits >= 8 * POINTER_BYTES:
            raise Unclear

    def _needs_no_following(self, call: Instruction, offset: Offset) -> bool:
        """True for a memcpy that misses the pointers, and for a call of flang's runtime that is passed a descriptor.

        The latter may store the address of a new block in the descriptor.
        """
        name = str(call.callee)
        if name.startswith(("@llvm.memcpy.", "@llvm.memmove.")):
            size = call.arguments[2]
            return isinstance(size, ConstantInt) and isinstance(offset, int) and not self._meets(offset, size.value)
        if not is_flang_runtime(name) or aliases_descriptors(name) or not isinstance(offset, int):
            return False
        self.stored[call].add(offset)
        return True

    def _meets(self, offset: int, size: int) -> bool:
        return any(offset < word.offset + POINTER_BYTES and word.offset < offset + size for word in self.words)

    def values_from_call(self, call: Instruction, value: Value, *, is_place: bool) -> list[Argument | Instruction]:
        """Returns the parameters and the result of a call that may be the passed value, or derived from it.

        `is_place`: the value is an address in the global, or of a variable that holds a block; else it is an address in
        a block. A function without a body must not access the memory at such a place. Raises Unclear if it may.
        """
        name = str(call.callee)
        positions = [k for k, argument in enumerate(call.arguments) if argument == value]
        if runs_at_exit(plain_name(name)):
            name, positions = str(call.arguments[0]), [0]
        function = self.round.source.functions.get(name)
        if call.callee == value or function is None or not positions:
            raise Unclear
        if not function.is_declaration:
            arguments = self.round.source.body(name).arguments
            if max(positions) >= len(arguments):
                raise Unclear
            self.entered[name].add(call)
            result = [call] if is_pointer(call.type) and not is_place else []
            return [*(arguments[k] for k in positions), *result]
        if name.startswith("@llvm.threadlocal.address.") or not is_place:
            return [call] if is_pointer(call.type) and heap_family(plain_name(name)) is None else []
        is_cleared = name.startswith("@llvm.memset.") and is_zero(call.arguments[1])
        if not is_cleared and not name.startswith("@llvm.lifetime."):
            raise Unclear
        return []


#: by opcode: what a use of an address in the global leads to; a use by any other opcode is unclear
_USES_OF_PLACE: dict[str, Callable[[Holder, Instruction, Value, Offset], GlobalPlaces]] = {
    "load": Holder._load_from,
    "store": Holder._store_to,
    "icmp": Holder._compare,
    **dict.fromkeys(POINTER_TO_INTEGER, Holder._measure),
    "getelementptr": Holder._move,
    **dict.fromkeys(COPIES, Holder._choose),
    **dict.fromkeys(FUNCTION_CALLS, Holder._call_with),
    "ret": Holder._return,
}


def _may_be(word: GlobalPointer, places: Collection[Offset]) -> bool:
    return any(offset == word.offset or not isinstance(offset, int) for offset in places)


def _positions(offset: Offset, size: int) -> set[int]:
    """Returns all values that an offset may have within `size` bytes."""
    if isinstance(offset, int):
        return {offset}
    return {*range(size)} if offset is None else {*range(offset.value, size, offset.modulus)}
