"""Moves mixed words from registers to memory: words that hold a number at one time, a pointer or integer at another.

LLVM puts unions into registers. It loads a pointer, for example, and extracts floats from its bits if the union holds
floats. A register has either an adjoint or a shadow, by its type; memory can have both (emit/mixed_memory.py). So a
register that moves a mixed word between two places, or takes it apart, becomes a slot on the stack and copies of bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import accumulate
from operator import itemgetter, or_

from ...analysis.integers.bits import joined_with_computed, made_into_numbers, takes_bits
from ...analysis.type_analysis.analysis import FLOATS, Kind, TypeAnalysis
from ...ir.builder import Builder
from ...ir.constants import ConstantExpr, ConstantInt, ConstantWord
from ...ir.folding import int_constant, zero
from ...ir.graphs import reachable
from ...ir.instructions import COPIES
from ...ir.types import (
    I1,
    I8,
    I64,
    VOID,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    Type,
    VectorType,
    align_up,
    scalar,
    store_size,
)
from ...ir.values import Block, Function, Instruction, Value
from .bits.stored_bits import stores_among_numbers

_CASTS = ("ptrtoint", "inttoptr", "bitcast", "trunc", "lshr")
#: casts between a number and another type that a mixed word may have
_MUST = ("inttoptr", "bitcast")
_SMALLEST, _LARGEST = 4, 8
_OPEN = (Kind.CONFLICT, Kind.UNKNOWN)


def demote_mixed_words(functions: Iterable[Function], types: TypeAnalysis) -> list[Function]:
    """Rewrites the functions in place. Returns those that changed: the types of all must be analysed again then."""
    return [function for function in functions if _Demotion(function, types).run()]


def load_as_read(function: Function) -> None:
    """Loads a number or pointer directly where the code loads an integer and casts it. Rewrites in place.

    A float in a part of a larger word is loaded directly, too, as if it were a member of a union with a double.
    """
    for i in list(function.instructions()):
        if i.opcode != "load" or {"atomic", "volatile"} & set(i.flags):
            continue
        if isinstance(i.type, IntType):
            for user in [u for u in i.users if u.opcode in ("bitcast", "inttoptr")]:
                load_instead(i, user, 0)
        if isinstance(i.type, IntType | FloatType):
            _load_parts(i, i, 0)


def store_as_made(function: Function) -> None:
    """Stores each part of a packed integer by itself if one of them is of floats, or if it is wider than a pointer.

    So it does with each lane of a vector of words that is made of these. Rewrites in place.
    """
    for i in list(function.instructions()):
        if i.opcode == "store" and not {"atomic", "volatile"} & set(i.flags):
            _store_parts(i)


def take_addresses(function: Function) -> None:
    """Makes instructions of constants that are addresses as integers: these have shadows. Rewrites in place."""
    for i in list(function.instructions()):
        for k, operand in enumerate(i.operands):
            if isinstance(operand, ConstantExpr) and operand.opcode == "ptrtoint":
                before = i.incoming[k // 2][1].instructions[-1] if i.opcode == "phi" else i
                i.set_operand(k, Builder.before(before).cast("ptrtoint", operand.operands[0], operand.type))


def _store_parts(store: Instruction) -> None:
    packed, pointer = store.operands
    parts = sorted(_whole_parts(packed), key=itemgetter(0))
    if [at for at, _ in parts] != list(accumulate((store_size(p.type) for _, p in parts[:-1]), initial=0)):
        return
    whole = sum(store_size(part.type) for _, part in parts) == store_size(packed.type)
    is_wide = len(parts) > 1 and store_size(packed.type) > _LARGEST
    if whole and (is_wide or any(_may_be_float(part) for _, part in parts)):
        b = Builder.before(store)
        for at, part in parts:
            align = store.memory.align if at == 0 else 1
            b.store(part, b.offset(pointer, at), align)
        store.erase()


def _parts(packed: Value, at: int = 0) -> list[tuple[int, Value]]:
    """Returns the parts of an integer that `or` packs, each with its byte."""
    if not isinstance(packed, Instruction):
        return [(at, packed)]
    if packed.opcode == "insertelement" and isinstance(packed.type, VectorType):
        return _lanes(packed, packed.type, at)
    if isinstance(packed.type, VectorType):  # zext widens each lane
        return [(at, packed)]
    if packed.opcode == "or" and "disjoint" in packed.flags:
        return [part for operand in packed.operands for part in _parts(operand, at)]
    if packed.opcode == "shl" and isinstance(packed.operands[1], ConstantInt) and packed.operands[1].value % 8 == 0:
        return _parts(packed.operands[0], at + packed.operands[1].value // 8)
    if packed.opcode == "zext":
        return _parts(packed.operands[0], at)
    if packed.opcode == "bitcast" and isinstance(scalar(packed.operands[0].type), FloatType):
        return [(at, packed.operands[0])]
    return [(at, packed)]


def _whole_parts(packed: Value) -> list[tuple[int, Value]]:
    """Returns the parts, and what lies between them: constants, or zero."""
    if not isinstance(packed, Instruction) or packed.opcode not in ("or", "zext", "shl"):
        return _parts(packed)
    start: list[Value] = [packed]
    ends = [v for v in reachable(start, _joined) if not _joined(v)]
    parts = [part for v in ends if not isinstance(v, ConstantInt) for part in _parts(v)]
    bits = reduce(or_, (v.value for v in ends if isinstance(v, ConstantInt)), 0)
    if any(_bytes_of(bits, at, store_size(part.type)) for at, part in parts):  # the constant changes a part
        return [(0, packed)]
    between = [(at, IntType(8 * size)) for at, size in _gaps(store_size(packed.type), parts)]
    return parts + [(at, int_constant(_bytes_of(bits, at, store_size(type_)), type_)) for at, type_ in between]


def _joined(v: Value) -> list[Value]:
    return v.operands if isinstance(v, Instruction) and v.opcode == "or" and "disjoint" in v.flags else []


def _bytes_of(bits: int, at: int, size: int) -> int:
    return bits >> 8 * at & ((1 << 8 * size) - 1)


def _gaps(size: int, parts: list[tuple[int, Value]]) -> list[tuple[int, int]]:
    """Returns offset and length of what the parts leave of so many bytes."""
    taken = {byte for at, part in parts for byte in range(at, at + store_size(part.type))}
    free = [byte for byte in range(size) if byte not in taken]
    starts = [byte for byte in free if byte - 1 not in free]
    ends = [byte + 1 for byte in free if byte + 1 not in free]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def _may_be_float(part: Value) -> bool:
    """Returns whether the part is a float, or an integer that is the bits of a float at some time."""
    if not isinstance(part, Instruction) or isinstance(part.type, VectorType | FloatType):
        return isinstance(scalar(part.type), FloatType)
    return any(i.opcode == "bitcast" and isinstance(i.operands[0].type, FloatType) for i in _copied(part))


def _lanes(vector: Value, type_: VectorType, at: int) -> list[tuple[int, Value]]:
    """Returns the lanes of a vector of words, each with its byte; the vector itself if one of them is unknown."""
    found: dict[int, Value] = {}
    v: Value = vector
    while isinstance(v, Instruction) and v.opcode == "insertelement" and isinstance(v.operands[2], ConstantInt):
        found.setdefault(v.operands[2].value, v.operands[1])
        v = v.operands[0]
    if type_.element != I64 or sorted(found) != list(range(type_.count)):
        return [(at, vector)]
    return [(at + _LARGEST * lane, word) for lane, word in found.items()]


def load_instead(load: Instruction, cast: Instruction, at: int) -> None:
    """Replaces a cast of a loaded value's bytes, from byte `at` on, by a load of these bytes."""
    b = Builder.before(load)
    read = b.load(cast.type, b.offset(load.operands[0], at, ()), load.memory.align if at == 0 else 1)
    cast.replace_uses(read)
    cast.erase()


def _load_parts(load: Instruction, part: Instruction, at: int) -> int:
    """Loads the numbers and pointers that are extracted from a loaded word's bits. Returns their count.

    `part` is what the code has extracted so far; it begins at byte `at` of the word.
    """
    found = 0
    for user in list(part.users):
        taken = 0
        if user.opcode in ("ptrtoint", "trunc") or (user.opcode == "bitcast" and isinstance(user.type, IntType)):
            taken = _load_parts(load, user, at)
        elif user.opcode == "lshr" and isinstance(user.operands[1], ConstantInt) and user.operands[1].value % 8 == 0:
            narrow = [u for u in user.users if u.opcode == "trunc"]
            taken = sum(_load_parts(load, u, at + user.operands[1].value // 8) for u in narrow)
            _erase_unused(narrow)
        elif _is_read(load, part, user):
            load_instead(load, user, at)
            found += 1
        if taken:
            _erase_unused([user])
        found += taken
    return found


def _erase_unused(parts: Iterable[Instruction]) -> None:
    for part in parts:
        if not part.users:
            part.erase()


def _is_read(load: Instruction, part: Instruction, user: Instruction) -> bool:
    """True if the user reads the part as a number, or as a pointer what was loaded as a number."""
    if user.opcode == "bitcast":
        return isinstance(user.type, FloatType | VectorType)
    is_pointer = user.opcode == "inttoptr" and isinstance(load.type, FloatType)
    return is_pointer and store_size(part.type) == store_size(user.type)


class _Demotion:
    """The mixed words of one function that move to memory, and the slot of each."""

    def __init__(self, function: Function, types: TypeAnalysis) -> None:
        self.function = function
        self.types = types
        self.slots: dict[Instruction, Value] = {}
        #: integers of which arithmetic makes numbers: in memory, nothing would tell that an adjoint is lost
        self.computed = frozenset(_computed_numbers(function, types))

    def run(self) -> bool:
        read = sum(_load_parts(i, i, 0) for i in list(self.function.instructions()) if self._is_of_caller(i))
        words = self._words()
        for word in words:
            self.slots[word] = self._new_slot(word.type)
        for word in words:
            self._fill(word)
        kept = self._kept(words)
        for word in words:
            self._use(word, word in kept)
        _erase([word for word in words if word not in kept])
        return bool(words) or read > 0

    # -- which words

    def _words(self) -> list[Instruction]:
        """The webs of mixed words in which at least one word must be in memory."""
        words: list[Instruction] = []
        done: set[Instruction] = set()
        moved = _moved(self.function)
        for source in [i for i in self.function.instructions() if i in moved and self._is_source(i)]:
            if source not in done:
                web = _web(source, self._is_source)
                done.update(web)
                words += web if any(map(self._must_be_in_memory, web)) and not _is_cut(web) else []
        return words

    def _kept(self, words: list[Instruction]) -> set[Instruction]:
        """Returns the words that stay in registers, too: code computes with them, and they are declared integers.

        Read from a slot, they would be integers of unknown origin.
        """
        used = [word for word in words if word.opcode in COPIES and isinstance(word.type, IntType) and self._rest(word)]
        declared = [word for word in used if self.types.number_flow.is_made_of_integers(word)]
        return set(reachable(declared, lambda word: [o for o in word.operands if o in self.slots]))

    def _rest(self, word: Instruction) -> list[Instruction]:
        """Returns the users that neither move the word to memory nor are slots themselves."""
        moving = ("store", *_CASTS)
        return [u for u in word.users if u not in self.slots and u.opcode not in moving]

    def _is_of_caller(self, i: Instruction) -> bool:
        """True for a pointer loaded from mixed memory that the gradient's caller passes, if it is cast."""
        if i.opcode != "load" or not isinstance(i.type, PointerType) or {"atomic", "volatile"} & set(i.flags):
            return False
        if not any(user.opcode == "ptrtoint" for user in i.users):
            return False
        return not self.types.is_private(i.operands[0]) and self.types.is_mixed(i.operands[0], store_size(i.type))

    def _is_source(self, i: Instruction) -> bool:
        """True for the load of a mixed word, a choice among such, and a cast between a number and another type."""
        if i.opcode == "load":
            if not _is_word(i.type) or "atomic" in i.flags:
                return False
            return self._is_undecided(i, i.operands[0]) or self._is_put_among_numbers(i)
        if i in self.computed:
            return False
        if i.opcode == "inttoptr":
            return any(kind in FLOATS or kind is Kind.CONFLICT for _, _, kind in self.types.value_parts(i.operands[0]))
        if i.opcode == "bitcast" and isinstance(i.type, FloatType):
            return i.operands[0].type == IntType(64) and self.types.may_be_pointer(i.operands[0])
        if i.opcode == "bitcast" and isinstance(i.type, IntType) and isinstance(i.operands[0].type, FloatType):
            return self.types.value_kind(i) is Kind.CONFLICT
        if i.opcode in ("phi", "select") and isinstance(i.type, IntType) and _is_word(i.type):
            if self.types.number_flow.is_made_of_integers(i):
                return False  # asked first: the evidence about a register takes long
            return self.types.value_kind(i) is Kind.CONFLICT and self.types.may_be_number(i)
        return False

    def _is_undecided(self, word: Instruction, place: Value) -> bool:
        """True if the word that moves between the register and the place may be a number or something else.

        In memory that code outside of the derivative can reach, TBAA tells real pointers, integers and numbers.
        """
        if not self.types.is_private(place):
            size = store_size(word.type)
            return self._is_open(word, place) and self.types.is_told_by_words(place, size, copied=True)
        if isinstance(word.type, IntType) and self.types.value_kind(word) is Kind.CONFLICT:
            return True
        return self._is_mixed(word, place)

    def _is_mixed(self, word: Instruction, place: Value) -> bool:
        """True if other words lie at the place at other times. Of numbers, only doubles are loaded for any word."""
        size = store_size(word.type)
        if size == _LARGEST and self.types.has_several_numbers(place, size):
            return True
        is_number = word.opcode == "load" and self.types.declares_number(word)
        return not is_number and self.types.is_mixed(place, size)

    def _is_put_among_numbers(self, word: Instruction) -> bool:
        """True if nothing but its type tells that the word is a pointer, and it is put where numbers lie, too.

        `void *` is a type for words of unknown kind. That of the load hides what else is known of the place.
        """
        if not isinstance(word.type, PointerType) or self.types.declared_kind(word) is Kind.POINTER:
            return False
        stores = [u for u in word.users if u.opcode == "store" and u.operands[0] is word]
        unknown = (u for u in stores if self.types.declares(u, word.type) is not Kind.POINTER)
        return any(self._is_undecided(word, u.operands[1]) for u in unknown)

    def _may_be_floats(self, word: Instruction) -> bool:
        """True if the word is a double to LLVM only: it was loaded where floats may lie, too, and not as a double."""
        return any(self.types.may_be_floats(i) for i in _copied(word))

    def _brings_number(self, word: Instruction, place: Value) -> bool:
        """True if the word is a pointer to LLVM only, and the place holds pointers as far as is known.

        It was loaded without a declaration where numbers may lie, too. As a pointer, a number would lose its adjoint.
        """
        if not isinstance(word.type, PointerType) or not self.types.is_private(place):
            return False
        loads = (i for i in _copied(word) if i.opcode == "load" and self.types.declared_kind(i) is not Kind.POINTER)
        return any(map(self._is_source, loads))

    def _is_open(self, word: Instruction, place: Value) -> bool:
        declared = self.types.declared_kind(word) if word.opcode == "load" else None
        is_integer = isinstance(word.type, IntType)
        if is_integer and declared is Kind.INTEGER:
            return False
        kind = self.types.value_kind(word)
        return (is_integer and kind in _OPEN) or (declared is not kind and self._is_mixed(word, place))

    def _must_be_in_memory(self, word: Instruction) -> bool:
        return word.opcode in _MUST or any(self._carries_on(word, user) for user in word.users)

    def _carries_on(self, word: Instruction, user: Instruction) -> bool:
        """True if the user moves the word to mixed memory, or reads it as another type."""
        if user.opcode == "store" and user.operands[0] is word:
            place = user.operands[1]
            return self._is_undecided(word, place) or self._may_be_floats(word) or self._brings_number(word, place)
        if user.opcode == "ptrtoint":
            apart = any(u.opcode in ("trunc", "lshr") for u in user.users)
            kinds = {kind for _, _, kind in self.types.value_parts(user)}
            return apart or Kind.CONFLICT in kinds or bool(kinds & FLOATS)
        if user.opcode in ("trunc", "lshr"):
            return any(_becomes_number(u) for u in [user, *user.users])
        return user.opcode in ("bitcast", "inttoptr")

    # -- definitions fill slots

    def _new_slot(self, type_: Type) -> Value:
        size = align_up(store_size(type_), _LARGEST)  # the runtime clears whole words of a shadow
        return Builder.first(self.function.entry).alloca(ArrayType(I8, size), align=_LARGEST)

    def _fill(self, word: Instruction) -> None:
        if word.opcode == "phi":
            self._fill_phi(word)
            return
        b = Builder.before(word)
        if word.opcode == "load":
            _copy(b, self.slots[word], word.operands[0], store_size(word.type))
        elif word.opcode == "select":
            places = [self._place(b, o) for o in word.operands[1:]]
            _copy(b, self.slots[word], b.select(word.operands[0], places[0], places[1]), store_size(word.type))
        else:
            self._put(b, self.slots[word], word.operands[0])

    def _fill_phi(self, phi: Instruction) -> None:
        """Fills the phi's slot from a second slot, which each predecessor fills with its value.

        Two slots are needed because the phis of a block are evaluated at once. The value of a predecessor is stored on
        the edge to the phi only: other edges get a block of their own.
        """
        arriving = self._new_slot(phi.type)
        assert phi.block is not None
        for predecessor, value in {p: v for v, p in phi.incoming}.items():
            self._put(Builder.before(_alone(predecessor, phi.block).terminator), arriving, value)
        _copy(Builder.before(_first_after_phis(phi)), self.slots[phi], arriving, store_size(phi.type))

    def _put(self, b: Builder, slot: Value, value: Value) -> None:
        if isinstance(value, Instruction) and value in self.slots:
            _copy(b, slot, self.slots[value], store_size(value.type))
        else:
            _store_parts(b.store(zero(value.type) if isinstance(value, ConstantWord) else value, slot, 8))

    def _place(self, b: Builder, value: Value) -> Value:
        """A slot that holds the value."""
        if isinstance(value, Instruction) and value in self.slots:
            return self.slots[value]
        slot = self._new_slot(value.type)
        self._put(b, slot, value)
        return slot

    # -- uses read slots

    def _use(self, word: Instruction, is_kept: bool) -> None:
        self._use_part(word, self.slots[word], 0)
        if is_kept:
            return
        rest = [u for u in word.users if u not in self.slots or u.opcode == "load"]
        if rest and word.opcode != "load":
            place = _behind_copy(word, self.slots[word]) if word.opcode == "phi" else word
            again = Builder.before(place).load(word.type, self.slots[word], 8)
            for user in rest:
                user.replace_operand(word, again)

    def _use_part(self, part: Instruction, slot: Value, at: int) -> None:
        """Gives the slot's bytes to users of a word's part that store it or read it as another type."""
        for user in list(part.users):
            if user in self.slots:
                continue
            if user.opcode == "store" and user.operands[0] is part:
                b = Builder.before(user)
                _copy(b, user.operands[1], b.offset(slot, at), store_size(part.type))
                user.erase()
            elif user.opcode in _CASTS:
                self._use_cast(user, slot, at)

    def _use_cast(self, cast: Instruction, slot: Value, at: int) -> None:
        if cast.opcode == "lshr":
            distance = cast.operands[1]
            if isinstance(distance, ConstantInt) and distance.value % 8 == 0:
                at += distance.value // 8
                for user in [u for u in cast.users if u.opcode == "trunc"]:
                    if at + store_size(user.type) <= store_size(cast.type):
                        self._use_cast(user, slot, at)
            return
        self._use_part(cast, slot, at)
        b = Builder.before(cast)
        read = b.load(cast.type, b.offset(slot, at), 1)
        cast.replace_uses(read)
        cast.erase()


def _is_word(type_: Type) -> bool:
    return isinstance(type_, PointerType | IntType | FloatType) and store_size(type_) in (_SMALLEST, _LARGEST)


def _moved(function: Function) -> set[Instruction]:
    """Returns the words that the code stores or casts, and all in a web with one: types tell nothing of others.

    The webs are taken as if all words were mixed.
    """

    def near(word: Instruction) -> Iterator[Instruction]:
        yield from (user for user in word.users if user.opcode in COPIES)
        yield from (o for o in word.operands if isinstance(o, Instruction)) if word.opcode in COPIES else ()

    starts = (i for i in function.instructions() if i.opcode in _MUST or any(_may_carry_on(i, u) for u in i.users))
    return set(reachable(starts, near))


def _may_carry_on(word: Instruction, user: Instruction) -> bool:
    """True unless the user's opcode shows that `_Demotion._carries_on` is false."""
    if user.opcode == "store":
        return user.operands[0] is word
    if user.opcode in ("trunc", "lshr"):
        return any(_becomes_number(u) for u in [user, *user.users])
    return user.opcode in _CASTS


def _copied(word: Instruction) -> Iterable[Instruction]:
    """The word, and the instructions whose results it may be without any computation."""
    return reachable(
        [word], lambda i: (o for o in i.operands if isinstance(o, Instruction)) if i.opcode in COPIES else ()
    )


def _web(source: Instruction, is_source: Callable[[Instruction], bool]) -> list[Instruction]:
    """The closure of the word under phi, select and freeze, in both directions, over mixed words only."""

    def near(word: Instruction) -> Iterator[Instruction]:
        ahead = [u for u in word.users if u.opcode in COPIES and u.type == word.type]
        behind = [o for o in word.operands if isinstance(o, Instruction)] if word.opcode in COPIES else []
        for other in [*ahead, *filter(is_source, behind)]:
            if not (other.opcode == "select" and other.operands[0] is word):
                yield other

    return list(reachable([source], near))


def _is_cut(web: list[Instruction]) -> bool:
    """True if the words are known to be doubles, and halves of them move on as if they were floats.

    A float has an adjoint of its own, so that nothing would put the halves of the double's adjoint together.
    """
    if not all(word.opcode == "bitcast" and isinstance(word.type, IntType) for word in web):
        return False
    cuts = reachable(web, lambda i: (u for u in i.users if u.opcode in ("trunc", "lshr")))
    floats = (u for cut in cuts for u in cut.users if cut not in web and u.opcode == "bitcast")
    return any(user.opcode in _MOVES_ON for f in floats for user in f.users)


_MOVES_ON = COPIES | {"store", "ret", "call", "insertvalue"}


def _erase(words: list[Instruction]) -> None:
    """Erases the words, except loads that are still used. Words use each other: operands are dropped first."""
    for word in words:
        if word.opcode != "load" or not word.users:
            word.drop_operands()
    for word in words:
        if word.block is not None and not word.operands:
            word.erase()


def _computed_numbers(function: Function, types: TypeAnalysis) -> list[Instruction]:
    if not any(map(takes_bits, function.instructions())):
        return []
    stored = [store.operands[0] for store in stores_among_numbers(function, types)]
    return joined_with_computed(made_into_numbers(function, stored))


def _becomes_number(i: Instruction) -> bool:
    return any(u.opcode == "bitcast" and isinstance(u.type, FloatType | VectorType) for u in i.users)


def _copy(b: Builder, to: Value, origin: Value, size: int) -> None:
    b.call("@llvm.memcpy.p0.p0.i64", VOID, (to, origin, int_constant(size), int_constant(0, I1)))


def _alone(predecessor: Block, block: Block) -> Block:
    """The predecessor, or a new block behind it, whose only successor is the block."""
    terminator = predecessor.terminator
    assert block.function is not None
    if all(successor is block for successor in terminator.successors):
        return predecessor
    between = block.function.add_block(before=block)
    Builder(between).br(block)
    terminator.replace_operand(block, between)
    for phi in block.phis:
        pairs = {p: v for v, p in phi.incoming}
        phi.drop_operands()
        for before, value in pairs.items():
            phi.append_operand(value)
            phi.append_operand(between if before is predecessor else before)
    return between


def _first_after_phis(phi: Instruction) -> Instruction:
    assert phi.block is not None
    return next(i for i in phi.block.instructions if i.opcode != "phi")


def _behind_copy(phi: Instruction, slot: Value) -> Instruction:
    """The instruction behind the copy that fills the phi's slot."""
    assert phi.block is not None
    instructions = phi.block.instructions
    filled = next(k for k, i in enumerate(instructions) if i.opcode == "call" and i.operands and i.operands[0] is slot)
    return instructions[filled + 1]
