"""Where a program puts the addresses of blocks of the heap that its globals hold: for heap.py.

The address of a global is followed into the functions that it is given to (member functions of an object), and so are
the addresses of blocks. What is not followed is unclear.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from ...analysis.callees import plain_name
from ...analysis.integers.offsets import Offset, global_of, moved, offset_of
from ...ir.constants import Constant, ConstantExpr, ConstantInt, GlobalRef, references
from ...ir.folding import is_zero
from ...ir.types import IntType, alloc_size, is_pointer, store_size
from ...ir.values import Argument, Block, Instruction, Value
from ...rules.control_functions import runs_at_exit
from ...rules.memory_functions import heap_family
from ..core.pointers import POINTER_BYTES, GlobalPointer
from ..core.round import PreparedRound

_FLANG = "@_FortranA"
#: of flang's library, what makes one array or pointer of another
_TELLING = ("@_FortranAPointerAssociate", "@_FortranAMoveAlloc")
#: makes no address of one
_HARMLESS = {"icmp", "sub", "trunc", "switch"}
#: makes another address, or an integer that is as good as one
_DERIVING = {"getelementptr", "phi", "select", "freeze", "ptrtoint", "ptrtoaddr", "add", "and", "or"}
#: linkage of what no other code refers to
OWN = ("internal", "private")
#: offsets that are told apart
MANY = 100


#: values that are places in a global, and at which offset
GlobalPlaces = list[tuple[Instruction | Argument, Offset]]


class Users:
    """All instructions that name globals or functions of a program; None for what is no instruction."""

    def __init__(self, round: PreparedRound) -> None:
        self._round = round
        self._found: dict[str, list[Instruction | None]] = {}

    def find(self, names: Iterable[str]) -> None:
        """Looks for several together."""
        new = {name: list[Instruction | None]() for name in names if name not in self._found}
        self._found |= new
        if not new:
            return
        source = self._round.source
        word = re.compile(rf"(?:{'|'.join(map(re.escape, new))})(?![-\w$.])")
        for other, variable in source.globals.items():
            for name in () if other.startswith("@llvm.") else word.findall(variable.text):
                if name != other:
                    new[name].append(None)
        for function in source.functions.values():
            if not function.is_declaration and (function.unparsed is None or word.search(function.unparsed)):
                for i in source.body(function.name).instructions():
                    named = {n for o in i.operands if isinstance(o, Constant) for n in references(o)}
                    for name in named & new.keys():
                        new[name].append(i)

    def of(self, name: str) -> list[Instruction | None]:
        self.find([name])
        return self._found[name]

    def calls(self, name: str) -> list[Instruction]:
        """All calls of a function."""
        function, found = self._round.source.functions[name], self.of(name)
        calls = [i for i in found if i is not None and i.opcode in ("call", "invoke") and str(i.callee) == name]
        if len(calls) < len(found) or not any(word in OWN for word in function.prefix.split()):
            raise Unclear
        return calls


class Unclear(Exception):
    """The program does something with an address that is not followed: keeps it `at` a global of which nothing is known
    yet, or anything else."""

    def __init__(self, at: str | None = None) -> None:
        super().__init__(at)
        self.at = at


class Holder:
    """What is stored in one global, and where that goes."""

    def __init__(self, round: PreparedRound, users: Users, name: str, pointers: list[int]) -> None:
        self.round = round
        self.users = users
        self.name = name
        self.words = [GlobalPointer(name, offset) for offset in pointers]
        #: the pointers that are loaded and stored, and the offsets where
        self.loaded: dict[Value, set[Offset]] = defaultdict(set)
        self.stored: dict[Value, set[Offset]] = defaultdict(set)
        self.places: dict[Value, set[Offset]] = defaultdict(set)
        #: the functions that are given a place or a block, and by which calls; the places that they return
        self.entered: dict[str, set[Instruction]] = defaultdict(set)
        self.returned: dict[str, set[Offset]] = defaultdict(set)

    def follow(self, users: Iterable[Instruction | None]) -> bool:
        """Finds what is loaded from where in the global, and stored; whether that is clear. `users` name the global."""
        try:
            for i in users:
                self._follow_place(i)
        except Unclear:
            return False
        return True

    def unclear(self, holders: Mapping[str, Holder]) -> Unclear | None:
        """Why it is not clear what blocks are stored there, and that only holders have their addresses."""
        try:
            self._follow_blocks(holders, [Origin(self.round, holders, word) for word in self.words])
        except Unclear as reason:
            return reason
        return None

    def loaded_from(self, word: GlobalPointer) -> list[Value]:
        return [value for value, places in self.loaded.items() if _may_be(word, places)]

    def stored_in(self, word: GlobalPointer) -> list[Value]:
        return [value for value, places in self.stored.items() if _may_be(word, places)]

    def words_of(self, load: Value) -> list[GlobalPointer]:
        """The pointers that it may load."""
        places = self.loaded.get(load, ())
        return [word for word in self.words if _may_be(word, places)]

    def has(self, place: Value) -> bool:
        """Whether it is the place of a pointer in the global, for certain."""
        places = {self._offset(place)} if isinstance(place, Constant) else self.places.get(place, set())
        known = {word.offset for word in self.words}
        size = alloc_size(self.round.source.globals[self.name].value_type)
        return bool(places) and all(_positions(offset, size) <= known for offset in places)

    # -- what is done with the global

    def _follow_place(self, first: Instruction | None) -> None:
        if first is None:
            raise Unclear
        work: list[tuple[Instruction, Value, Offset]] = []
        for operand in first.operands:
            if isinstance(operand, Constant) and self.name in references(operand):
                work.append((first, operand, self._offset(operand)))
        while work:
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
        """Returns the values that are places in the global because the instruction uses one."""
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

    def _choose(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        return [(i, offset)]

    def _call_with(self, i: Instruction, place: Value, offset: Offset) -> GlobalPlaces:
        if self._is_beside(i, place, offset):
            return []
        given = [(argument, offset) for argument in self._given(i, place, is_place=True)]
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

    def _is_beside(self, call: Instruction, place: Value, offset: Offset) -> bool:
        """Whether the call does nothing to the pointers that is to be followed: it copies what lies beside them, or is
        one of flang's library, which may allocate the array that it is told of."""
        name = str(call.callee)
        if name.startswith(("@llvm.memcpy.", "@llvm.memmove.")):
            size = call.arguments[2]
            return isinstance(size, ConstantInt) and isinstance(offset, int) and not self._meets(offset, size.value)
        if not name.startswith(_FLANG) or name.startswith(_TELLING) or not isinstance(offset, int):
            return False
        self.stored[call].add(offset)
        return True

    def _meets(self, offset: int, size: int) -> bool:
        return any(offset < word.offset + POINTER_BYTES and word.offset < offset + size for word in self.words)

    def _given(self, call: Instruction, value: Value, *, is_place: bool) -> list[Argument | Instruction]:
        """The values that a call makes of one that it is given. `is_place`: what is stored there matters."""
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

    # -- where its blocks go

    def _follow_blocks(self, holders: Mapping[str, Holder], origins: list[Origin]) -> None:
        """All that may be done with addresses of blocks: use them, store them in a holder, or in memory of a call."""
        seen: set[tuple[Value, bool]] = set()
        addresses = {value for origin in origins for value in (*origin.made, *origin.passed) if is_pointer(value.type)}
        work = [(value, False) for value in (*addresses, *self.loaded)]
        left: set[str] = set()
        while work:
            value, holds = state = work.pop()
            if state in seen:
                continue
            seen.add(state)
            assert isinstance(value, Instruction | Argument)
            for i in value.users:
                if i.opcode == "ret":
                    assert i.block is not None and i.block.function is not None
                    name = i.block.function.name
                    left.add(name)
                    work += [(call, holds) for call in self.entered.get(name, ())]
                else:
                    work += self._use_of_block(holders, i, value, holds)
        if not left <= self.entered.keys() | set[str]().union(*(origin.returning for origin in origins)):
            raise Unclear

    def _use_of_block(
        self, holders: Mapping[str, Holder], i: Instruction, value: Value, holds: bool
    ) -> list[tuple[Value, bool]]:
        """Returns what else is an address of a block because of the use, or memory of a call that `holds` one."""
        if i.opcode in _HARMLESS:
            return []
        if i.opcode in _DERIVING:
            return [(i, holds)]
        if i.opcode == "load":
            return [(i, False)] if holds and is_pointer(i.type) else []
        if i.opcode == "store" and i.operands[0] != value:
            return []
        if i.opcode == "store" and not holds:
            return self._kept(holders, i.operands[1])
        if i.opcode in ("call", "invoke"):
            return self._call_with_block(holders, i, value, holds)
        raise Unclear

    def _call_with_block(
        self, holders: Mapping[str, Holder], call: Instruction, value: Value, holds: bool
    ) -> list[tuple[Value, bool]]:
        name = str(call.callee)
        if not holds and _is_not_captured(call, value):
            return []
        if holds and name.startswith(("@llvm.memcpy.", "@llvm.memmove.")):
            return self._kept(holders, call.arguments[0]) if call.arguments[1] == value else []
        if name.startswith(_FLANG):
            if name.startswith(_TELLING):
                raise Unclear
            return []
        result = [(call, holds)] if holds and is_pointer(call.type) else []
        return [*((given, holds) for given in self._given(call, value, is_place=holds)), *result]

    def _kept(self, holders: Mapping[str, Holder], place: Value) -> list[tuple[Value, bool]]:
        inside = [h for h in holders.values() if place in h.places or h.name in references(place)]
        if inside:
            if all(holder.has(place) for holder in inside):
                return []
            raise Unclear
        while isinstance(place, Instruction) and place.opcode == "getelementptr":
            place = place.operands[0]
        if not isinstance(place, Instruction) or place.opcode != "alloca":
            raise Unclear(global_of(place))
        return [(place, True)]


#: what follows from the use of a place, by opcode; other opcodes make it unclear
_USES_OF_PLACE: dict[str, Callable[[Holder, Instruction, Value, Offset], GlobalPlaces]] = {
    "load": Holder._load_from,
    "store": Holder._store_to,
    "icmp": Holder._compare,
    "getelementptr": Holder._move,
    **dict.fromkeys(("phi", "select", "freeze"), Holder._choose),
    **dict.fromkeys(("call", "invoke"), Holder._call_with),
    "ret": Holder._return,
}


def _may_be(word: GlobalPointer, places: Collection[Offset]) -> bool:
    return any(offset == word.offset or not isinstance(offset, int) for offset in places)


def _positions(offset: Offset, size: int) -> set[int]:
    """All that an offset may be in so many bytes."""
    if isinstance(offset, int):
        return {offset}
    return {*range(size)} if offset is None else {*range(offset.value, size, offset.modulus)}


def _is_not_captured(call: Instruction, value: Value) -> bool:
    given = zip(call.arguments, call.call.argument_attributes, strict=True)
    return all("captures(none)" in words for argument, words in given if argument == value)


class Origin:
    """Where the addresses come from that are stored in a pointer: the calls that `made` blocks; other calls that
    `passed` these on, and the functions `returning` them; pointers that they were `loaded` from, which are followed on
    unless told otherwise. `is_moved`: not all are addresses of first bytes.
    """

    def __init__(
        self, round: PreparedRound, holders: Mapping[str, Holder], word: GlobalPointer, *, follows_loads: bool = True
    ) -> None:
        self.round = round
        self.holders = holders
        self.users = holders[word.name].users
        self.made: set[Instruction] = set()
        self.passed: set[Instruction] = set()
        self.returning: set[str] = set()
        self.loaded: set[GlobalPointer] = set()
        self.is_moved = False
        seen: set[Value] = set()
        work = self._stored(word)
        while work:
            v = work.pop()
            if v not in seen and not (isinstance(v, Constant) and is_zero(v)):
                seen.add(v)
                before = set(self.loaded)
                if isinstance(v, Argument):
                    work += self._given(v)
                elif isinstance(v, Instruction):
                    work += self._before(v)
                else:
                    raise Unclear
                if follows_loads:
                    work += [value for new in self.loaded - before for value in self._stored(new)]

    def _stored(self, word: GlobalPointer) -> list[Value]:
        return self.holders[word.name].stored_in(word)

    def _before(self, v: Instruction) -> list[Value]:
        match v.opcode:
            case "phi":
                return [operand for operand in v.operands if not isinstance(operand, Block)]
            case "select":
                return v.operands[1:]
            case "freeze":
                return v.operands[:1]
            case "getelementptr":
                self.is_moved = True
                return v.operands[:1]
            case "load":
                self.loaded |= self._words_of(v)
                return []
            case "call" | "invoke":
                name = str(v.callee)
                is_own = self.round.callees.has_body(name) or heap_family(plain_name(name)) is None
                if is_own and not name.startswith(_FLANG):
                    self.passed.add(v)
                    return self._returned(name)
                self.made.add(v)
                return []
        raise Unclear

    def _given(self, parameter: Argument) -> list[Value]:
        """What all calls of the function give."""
        user = next(iter(parameter.users))
        assert user.block is not None and user.block.function is not None
        name = user.block.function.name
        return [call.arguments[parameter.index] for call in self.users.calls(name)]

    def _words_of(self, load: Instruction) -> set[GlobalPointer]:
        found = {word for holder in self.holders.values() for word in holder.words_of(load)}
        if not found:
            raise Unclear(global_of(load.operands[0]))
        return found

    def _returned(self, name: str) -> list[Value]:
        function = self.round.source.functions.get(name)
        if function is None or function.is_declaration:
            raise Unclear
        self.returning.add(name)
        body = self.round.source.body(name)
        return [i.operands[0] for i in body.instructions() if i.opcode == "ret"]


def family(calls: Iterable[Instruction]) -> str:
    """The function that allocates as all of the calls do."""
    found = {family for call in calls if (family := heap_family(plain_name(str(call.callee))))}
    return found.pop() if len(found) == 1 else "malloc"
