"""Globals whose pointers come from the heap: work space that is made by the first who needs it, a gradient or not.

All that the program ever stores in such pointers is null, the address of a block that malloc and its like gave, an
address in that block (a vector's end), or another one of them (buffers that are swapped). No other memory that outlives
a call is told of the blocks: there are no ways to their numbers but by these pointers. Numbers that are reached another
way, too, have no shadow that all ways lead to.

All is read off the program's text: addresses of globals are followed into the functions that they are given to (member
functions of an object), and so are addresses of blocks. A global of which something is unclear is left out, and then
those that share blocks with it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.callees import plain_name
from ..analysis.offsets import Offset, moved, offset_of
from ..analysis.types_kinds import FLOATS, Kind
from ..ir.builder import is_zero
from ..ir.types import (
    ArrayType,
    IntType,
    NamedStruct,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    is_pointer,
    store_size,
    struct_fields,
)
from ..ir.values import (
    Argument,
    Block,
    Constant,
    ConstantAggregate,
    ConstantExpr,
    ConstantInt,
    GlobalRef,
    Instruction,
    Value,
    references,
)

if TYPE_CHECKING:
    from .session import Session

_HEAP = re.compile(r"malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|valloc|(_Zn[wa]m).*")
_ALLOCATING = {"_FortranAAllocatableAllocate", "_FortranAPointerAllocate"}
_FREEING = {"malloc": "free", "_Znwm": "_ZdlPv", "_Znam": "_ZdaPv"}
#: are given a function, and what it is to be called with
_AT_EXIT = {"__cxa_atexit", "__cxa_thread_atexit"}
#: makes no address of one
_HARMLESS = {"icmp", "sub", "trunc", "switch"}
#: makes another address, or an integer that is as good as one
_DERIVING = {"getelementptr", "phi", "select", "freeze", "ptrtoint", "ptrtoaddr", "add", "and", "or"}
_POINTER = 8
#: linkage of what no other code refers to
_OWN = ("internal", "private")
#: offsets that are told apart
_MANY = 100


class Word(NamedTuple):
    """A pointer in a global."""

    name: str
    offset: int


class Pool(NamedTuple):
    """Pointers into the same blocks of numbers: of some it is known that they point to `first` bytes. `allocate` makes
    such blocks, of so many bytes."""

    first: list[Word]
    inside: list[Word]
    allocate: str

    @property
    def free(self) -> str:
        return _FREEING[self.allocate]


def pools_of(session: Session, pointers: Mapping[str, list[int]], active: Collection[str]) -> list[Pool]:
    """What is known of globals, each with the offsets of all its pointers. All `active` ones have shadows: the others
    among them may not share blocks with these; constant ones may, which is looked into when a request begins."""
    users = _Users(session)
    holders = _made_clear(session, users, pointers)
    tried = {*active}
    while True:
        unclear = {name: reason for name, holder in holders.items() if (reason := holder.unclear(holders)) is not None}
        unknown = {reason.at for reason in unclear.values() if reason.at is not None} - tried
        if unknown:
            tried |= unknown
            offsets = {name: [*_offsets(session.source.globals[name].value_type)] for name in unknown}
            holders |= _made_clear(
                session, users, {name: found for name, found in offsets.items() if len(found) < _MANY}
            )
        elif unclear:
            holders = {name: holder for name, holder in holders.items() if name not in unclear}
        else:
            return [*_pools(session, holders, pointers)]


def _made_clear(session: Session, users: _Users, pointers: Mapping[str, list[int]]) -> dict[str, _Holder]:
    """Those globals of which it is clear what the program does with their addresses."""
    found = {}
    for name, offsets in pointers.items():
        variable = session.source.globals[name]
        begins_null = all(_is_null(variable.initializer, offset) for offset in offsets)
        if variable.linkage in _OWN and begins_null:
            found[name] = _Holder(session, users, name, offsets)
    users.find(found)
    return {name: holder for name, holder in found.items() if holder.follow(users.of(name))}


def _offsets(type_: Type) -> Iterator[int]:
    """Where the pointers are in a type, as many as are looked at."""
    if is_pointer(type_):
        yield 0
    elif isinstance(type_, ArrayType):
        for k in range(min(type_.count, _MANY)):
            yield from (k * alloc_size(type_.element) + offset for offset in _offsets(type_.element))
    elif isinstance(type_, StructType | NamedStruct):
        for at, field in zip(field_offsets(type_), struct_fields(type_), strict=True):
            yield from (at + offset for offset in _offsets(field))


def global_of(pointer: Value) -> str | None:
    """The global that a pointer points into, at whatever offset."""
    while isinstance(pointer, Instruction | ConstantExpr) and pointer.opcode == "getelementptr":
        pointer = pointer.operands[0]
    return pointer.name if isinstance(pointer, GlobalRef) else None


def _is_null(initializer: Constant | None, offset: int) -> bool:
    """Whether the pointer at that offset is null in the beginning."""
    if initializer is None or is_zero(initializer):
        return initializer is not None
    if not isinstance(initializer, ConstantAggregate):
        return False
    if isinstance(initializer.type, ArrayType | VectorType):
        part, rest = divmod(offset, alloc_size(initializer.type.element))
        return _is_null(initializer.elements[part], rest)
    places = field_offsets(initializer.type)
    part = max(k for k, place in enumerate(places) if place <= offset)
    return _is_null(initializer.elements[part], offset - places[part])


class _Users:
    """All instructions that name globals or functions of a program; None for what is no instruction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: dict[str, list[Instruction | None]] = {}

    def find(self, names: Iterable[str]) -> None:
        """Looks for several together."""
        new = {name: list[Instruction | None]() for name in names if name not in self._found}
        self._found |= new
        if not new:
            return
        source = self._session.source
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
        function, found = self._session.source.functions[name], self.of(name)
        calls = [i for i in found if i is not None and i.opcode in ("call", "invoke") and str(i.callee) == name]
        if len(calls) < len(found) or not any(word in _OWN for word in function.prefix.split()):
            raise _Unclear
        return calls


def _pools(session: Session, holders: Mapping[str, _Holder], names: Iterable[str]) -> Iterator[Pool]:
    words = [word for name in names if name in holders for word in holders[name].words]
    behind = {word: _kinds(session, holders, word) for word in words}
    made = {word: frozenset(_Origin(session, holders, word).made) for word, kinds in behind.items() if kinds <= FLOATS}
    left = sorted(word for word, calls in made.items() if calls)
    firsts = _firsts(session, holders)
    while left:
        group, calls = [], made[left[0]]
        while more := [word for word in left if made[word] & calls]:
            group += more
            left = [word for word in left if word not in more]
            calls = calls.union(*(made[word] for word in more))
        first = [word for word in group if word in firsts]
        if any(behind[word] for word in first):
            yield Pool(first, [word for word in group if word not in firsts], _family(calls))


def _family(calls: Iterable[Instruction]) -> str:
    found = {match[1] or "malloc" for call in calls if (match := _HEAP.fullmatch(plain_name(str(call.callee))))}
    return found.pop() if len(found) == 1 else "malloc"


def _kinds(session: Session, holders: Mapping[str, _Holder], word: Word) -> frozenset[Kind]:
    loaded = holders[word.name].at(word.offset, holders[word.name].loaded)
    return frozenset(kind for i in loaded for kinds in session.types.words([i], None) for kind in kinds)


def _firsts(session: Session, holders: Mapping[str, _Holder]) -> set[Word]:
    """The pointers in which nothing but addresses of first bytes are stored."""
    words = [word for holder in holders.values() for word in holder.words]
    origins = {word: _Origin(session, holders, word, follows_loads=False) for word in words}
    found = {word for word, origin in origins.items() if not origin.is_moved}
    while wrong := {word for word in found if not origins[word].loaded <= found}:
        found -= wrong
    return found


class _Unclear(Exception):
    """The program does something with an address that is not followed: keeps it `at` a global of which nothing is known
    yet, or anything else."""

    def __init__(self, at: str | None = None) -> None:
        super().__init__(at)
        self.at = at


class _Holder:
    """What is stored in one global, and where that goes."""

    def __init__(self, session: Session, users: _Users, name: str, pointers: list[int]) -> None:
        self.session = session
        self.users = users
        self.name = name
        self.words = [Word(name, offset) for offset in pointers]
        #: by the offset of the pointer, None where that is not known
        self.loaded: list[tuple[Offset, Value]] = []
        self.stored: list[tuple[Offset, Value]] = []
        self.places: dict[Value, set[Offset]] = defaultdict(set)
        #: the functions that are given a place or a block, and by which calls; the places that they return
        self.entered: dict[str, set[Instruction]] = defaultdict(set)
        self.returned: dict[str, set[Offset]] = defaultdict(set)

    def follow(self, users: Iterable[Instruction | None]) -> bool:
        """Finds what is loaded from where in the global, and stored; whether that is clear. `users` name the global."""
        try:
            for i in users:
                self._follow_place(i)
        except _Unclear:
            return False
        return True

    def unclear(self, holders: Mapping[str, _Holder]) -> _Unclear | None:
        """Why it is not clear what blocks are stored there, and that only holders have their addresses."""
        try:
            self._follow_blocks(holders, [_Origin(self.session, holders, word) for word in self.words])
        except _Unclear as reason:
            return reason
        return None

    def at(self, offset: int, found: list[tuple[Offset, Value]]) -> list[Value]:
        """What may be there."""
        return [value for at, value in found if at == offset or not isinstance(at, int)]

    # -- what is done with the global

    def _follow_place(self, first: Instruction | None) -> None:
        if first is None:
            raise _Unclear
        work: list[tuple[Instruction, Value, Offset]] = []
        for operand in first.operands:
            if isinstance(operand, Constant) and self.name in references(operand):
                work.append((first, operand, self._offset(operand)))
        while work:
            for value, offset in self._use_of_place(*work.pop()):
                known = self.places[value]
                at = offset if len(known) < _MANY else None
                if at not in known and None not in known:
                    known.add(at)
                    work += [(user, value, at) for user in value.users]

    def _offset(self, place: Constant) -> Offset:
        if isinstance(place, GlobalRef):
            return 0
        if not isinstance(place, ConstantExpr) or place.opcode != "getelementptr" or place.source is None:
            raise _Unclear
        return moved(self._offset(place.operands[0]), offset_of(place.source, place.operands[1:]))

    def _use_of_place(
        self, i: Instruction, place: Value, offset: Offset
    ) -> list[tuple[Instruction | Argument, Offset]]:
        """Which values are places in the global because of that."""
        match i.opcode:
            case "load":
                self._note(self.loaded, i, offset)
            case "store" if i.operands[0] != place:
                if not isinstance(i.operands[0], Constant) or not is_zero(i.operands[0]):
                    self._note(self.stored, i.operands[0], offset)
            case "icmp":
                pass
            case "getelementptr" if all(index != place for index in i.operands[1:]):
                return [(i, moved(offset, offset_of(i.source_type, i.operands[1:])))]
            case "phi" | "select" | "freeze":
                return [(i, offset)]
            case "call" | "invoke" if self._is_beside(i, place, offset):
                return []
            case "call" | "invoke":
                given = [(argument, offset) for argument in self._given(i, place, is_place=True)]
                return [*given, *((i, at) for at in self.returned[str(i.callee)])]
            case "ret":
                assert i.block is not None and i.block.function is not None
                name = i.block.function.name
                self.returned[name].add(offset)
                return [(call, offset) for call in self.entered[name]]
            case _:
                raise _Unclear
        return []

    def _note(self, found: list[tuple[Offset, Value]], value: Value, offset: Offset) -> None:
        if is_pointer(value.type):
            found.append((offset, value))
        elif isinstance(offset, int):
            if self._meets(offset, store_size(value.type)):
                raise _Unclear
        elif isinstance(value.type, IntType) and value.type.bits >= 8 * _POINTER:
            raise _Unclear

    def _is_beside(self, call: Instruction, place: Value, offset: Offset) -> bool:
        """Whether the call does nothing to the pointers that is to be followed: it copies what lies beside them, or is
        one of flang's library, which is told of one array. That array is left out unless it is null afterwards."""
        name = plain_name(str(call.callee))
        if name.startswith(("llvm.memcpy.", "llvm.memmove.")):
            size = call.arguments[2]
            return isinstance(size, ConstantInt) and isinstance(offset, int) and not self._meets(offset, size.value)
        if not name.startswith("_FortranA") or not isinstance(offset, int):
            return False
        if name in _ALLOCATING:
            self.stored.append((offset, call))
        elif not name.endswith(("Deallocate", "SetBounds")):
            self.words = [word for word in self.words if word.offset != offset]
        return True

    def _meets(self, offset: int, size: int) -> bool:
        return any(offset < word.offset + _POINTER and word.offset < offset + size for word in self.words)

    def _given(self, call: Instruction, value: Value, *, is_place: bool) -> list[Argument | Instruction]:
        """The values that a call makes of one that it is given. `is_place`: what is stored there matters."""
        name = str(call.callee)
        positions = [k for k, argument in enumerate(call.arguments) if argument == value]
        if plain_name(name) in _AT_EXIT:
            name, positions = str(call.arguments[0]), [0]
        function = self.session.source.functions.get(name)
        if call.callee == value or function is None or not positions:
            raise _Unclear
        if not function.is_declaration:
            arguments = self.session.source.body(name).arguments
            if max(positions) >= len(arguments):
                raise _Unclear
            self.entered[name].add(call)
            result = [call] if is_pointer(call.type) and not is_place else []
            return [*(arguments[k] for k in positions), *result]
        if name.startswith("@llvm.threadlocal.address.") or not is_place:
            return [call] if is_pointer(call.type) and not _HEAP.fullmatch(plain_name(name)) else []
        is_cleared = name.startswith("@llvm.memset.") and is_zero(call.arguments[1])
        if not is_cleared and not name.startswith("@llvm.lifetime."):
            raise _Unclear
        return []

    # -- where its blocks go

    def _follow_blocks(self, holders: Mapping[str, _Holder], origins: list[_Origin]) -> None:
        """All that may be done with addresses of blocks: use them, store them in a holder, or in memory of a call."""
        seen: set[tuple[Value, bool]] = set()
        addresses = {value for origin in origins for value in (*origin.made, *origin.passed) if is_pointer(value.type)}
        work = [(value, False) for value in (*addresses, *(i for _, i in self.loaded))]
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
            raise _Unclear

    def _use_of_block(
        self, holders: Mapping[str, _Holder], i: Instruction, value: Value, holds: bool
    ) -> list[tuple[Value, bool]]:
        """What else is an address of a block because of that, or memory of a call that `holds` one."""
        match i.opcode:
            case "load":
                return [(i, False)] if holds and is_pointer(i.type) else []
            case "store" if i.operands[0] != value:
                return []
            case "store" if not holds:
                return self._kept(holders, i.operands[1])
            case opcode if opcode in _DERIVING:
                return [(i, holds)]
            case opcode if opcode in _HARMLESS:
                return []
            case "call" | "invoke" if not holds and _is_not_captured(i, value):
                return []
            case "call" | "invoke":
                result = [(i, holds)] if holds and is_pointer(i.type) else []
                return [*((given, holds) for given in self._given(i, value, is_place=holds)), *result]
        raise _Unclear

    def _kept(self, holders: Mapping[str, _Holder], place: Value) -> list[tuple[Value, bool]]:
        if any(place in holder.places or holder.name in references(place) for holder in holders.values()):
            return []
        while isinstance(place, Instruction) and place.opcode == "getelementptr":
            place = place.operands[0]
        if not isinstance(place, Instruction) or place.opcode != "alloca":
            raise _Unclear(global_of(place))
        return [(place, True)]


def _is_not_captured(call: Instruction, value: Value) -> bool:
    given = zip(call.arguments, call.call.argument_attributes, strict=True)
    return all("captures(none)" in words for argument, words in given if argument == value)


class _Origin:
    """Where the addresses come from that are stored in a pointer: the calls that `made` blocks; other calls that
    `passed` these on, and the functions `returning` them; pointers that they were `loaded` from, which are followed on
    unless told otherwise. `is_moved`: not all are addresses of first bytes.
    """

    def __init__(
        self, session: Session, holders: Mapping[str, _Holder], word: Word, *, follows_loads: bool = True
    ) -> None:
        self.session = session
        self.holders = holders
        self.users = holders[word.name].users
        self.made: set[Instruction] = set()
        self.passed: set[Instruction] = set()
        self.returning: set[str] = set()
        self.loaded: set[Word] = set()
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
                    raise _Unclear
                if follows_loads:
                    work += [value for new in self.loaded - before for value in self._stored(new)]

    def _stored(self, word: Word) -> list[Value]:
        holder = self.holders[word.name]
        return holder.at(word.offset, holder.stored)

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
                is_own = self.session.callees.has_body(name) or not _HEAP.fullmatch(plain_name(name))
                if is_own and plain_name(name) not in _ALLOCATING:
                    self.passed.add(v)
                    return self._returned(name)
                self.made.add(v)
                return []
        raise _Unclear

    def _given(self, parameter: Argument) -> list[Value]:
        """What all calls of the function give."""
        user = next(iter(parameter.users))
        assert user.block is not None and user.block.function is not None
        name = user.block.function.name
        return [call.arguments[parameter.index] for call in self.users.calls(name)]

    def _words_of(self, load: Instruction) -> set[Word]:
        found = {
            word
            for holder in self.holders.values()
            for word in holder.words
            if any(load is value for value in holder.at(word.offset, holder.loaded))
        }
        if not found:
            raise _Unclear(global_of(load.operands[0]))
        return found

    def _returned(self, name: str) -> list[Value]:
        function = self.session.source.functions.get(name)
        if function is None or function.is_declaration:
            raise _Unclear
        self.returning.add(name)
        body = self.session.source.body(name)
        return [i.operands[0] for i in body.instructions() if i.opcode == "ret"]
