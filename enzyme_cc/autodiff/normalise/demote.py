"""Moves mixed words from registers to memory: words that hold a number at one time, a pointer or integer at another.

LLVM puts unions into registers. It loads a pointer, for example, and extracts floats from its bits if the union holds
floats. A register has either an adjoint or a shadow, by its type; memory can have both (emit/shadow_access). So a
register that moves a mixed word between two places, or takes it apart, becomes a slot on the stack and copies of bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import gcd

from ...analysis.integers.bit_steps import takes_bits
from ...analysis.integers.bits import joined_with_computed, made_into_numbers
from ...analysis.type_analysis.analysis import FLOATS, Kind, TypeAnalysis
from ...analysis.values.flow import uses
from ...ir.builder import Builder
from ...ir.constants import ConstantInt, ConstantWord
from ...ir.folding import int_constant, zero
from ...ir.graphs import reachable
from ...ir.instructions import CHOICES, COPIES, OUT_OF_INTEGER, TAKES_PART, WORD_CASTS
from ...ir.types import (
    I1,
    I8,
    I32,
    VOID,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    Type,
    VectorType,
    align_up,
    store_size,
)
from ...ir.value_edges import CHOSEN, COPIED, PART, PASSES_ON
from ...ir.values import Block, Function, Instruction, Value
from .bits.parts_of_words import copied, load_parts, store_parts
from .bits.stored_bits import stores_among_numbers

_CASTS = WORD_CASTS | TAKES_PART
_SMALLEST, _LARGEST = 4, 8
_OPEN = (Kind.CONFLICT, Kind.UNKNOWN)


def demote_mixed_words(functions: Iterable[Function], types: TypeAnalysis) -> list[Function]:
    """Rewrites the functions in place. Returns those that changed: the types of all must be analysed again then."""
    return [function for function in functions if _Demotion(function, types).run()]


class _Demotion:
    """The mixed words of one function that move to memory, and the slot of each."""

    def __init__(self, function: Function, types: TypeAnalysis) -> None:
        self.function = function
        self.types = types
        self.slots: dict[Instruction, Value] = {}
        #: integers of which arithmetic makes numbers: in memory, nothing would tell that an adjoint is lost
        self.computed = frozenset(_computed_numbers(function, types))

    def run(self) -> bool:
        read = sum(load_parts(i, i, 0) for i in list(self.function.instructions()) if self._is_of_caller(i))
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
        moving = _CASTS | {"store"}
        return [u for u in word.users if u not in self.slots and u.opcode not in moving]

    def _is_of_caller(self, i: Instruction) -> bool:
        """True for a pointer loaded from mixed memory that the gradient's caller passes, if it is cast."""
        if i.opcode != "load" or not isinstance(i.type, PointerType) or {"atomic", "volatile"} & set(i.flags):
            return False
        if not any(user.opcode == "ptrtoint" for user in i.users):
            return False
        is_private = self.types.points_to.is_private(i.operands[0])
        return not is_private and self.types.contents(i.operands[0], store_size(i.type)).is_mixed

    def _is_source(self, i: Instruction) -> bool:
        """True for the load of a mixed word, a choice among such, and a cast between a number and another type."""
        if i.opcode == "load":
            if not _is_word(i.type) or "atomic" in i.flags or self.types.declared.is_integer_member(i):
                return False
            return self._is_undecided(i, i.operands[0]) or self._is_put_among_numbers(i)
        if i in self.computed:
            return False
        if i.opcode == "inttoptr":
            return not _is_passed_number(i) and any(
                kind in FLOATS or kind is Kind.CONFLICT for _, _, kind in self.types.values.parts(i.operands[0])
            )
        if i.opcode == "bitcast" and isinstance(i.type, FloatType):
            return i.operands[0].type == IntType(64) and self.types.values.may_be_pointer(i.operands[0])
        if i.opcode == "bitcast" and isinstance(i.type, IntType) and isinstance(i.operands[0].type, FloatType):
            return self.types.values.kind(i) is Kind.CONFLICT and not all(map(_is_passed_number, i.users))
        if i.opcode in CHOICES and isinstance(i.type, IntType) and _is_word(i.type):
            if self.types.number_flow.is_made_of_integers(i):
                return False  # asked first: the evidence about a register takes long
            return self.types.values.kind(i) is Kind.CONFLICT and self.types.values.may_be_number(i)
        return False

    def _is_undecided(self, word: Instruction, place: Value) -> bool:
        """True if the word that moves between the register and the place may be a number or something else.

        In memory that code outside of the derivative can reach, TBAA tells real pointers, integers and numbers.
        """
        if self._is_part(word, place):
            return True
        if not self.types.points_to.is_private(place):
            size = store_size(word.type)
            return self._is_open_word(word, place) and self.types.contents(place, size).is_tagged(copied=True)
        if isinstance(word.type, IntType) and self.types.values.kind(word) is Kind.CONFLICT:
            return True
        return self._is_mixed(word, place)

    def _is_part(self, word: Instruction, place: Value) -> bool:
        """True if the word may be a part of a larger number (moved_parts.py), and is not declared an integer."""
        if word.type != I32 or (word.opcode == "load" and self.types.declared.is_integer(word)):
            return False
        return self.types.contents(place, _SMALLEST).may_be_part_of_number

    def _is_mixed(self, word: Instruction, place: Value) -> bool:
        """True if other words lie at the place at other times. Of numbers, only doubles are loaded for any word."""
        contents = self.types.contents(place, store_size(word.type))
        if contents.size == _LARGEST and contents.has_several_numbers:
            return True
        is_number = word.opcode == "load" and self.types.declared.is_number(word)
        return not is_number and contents.is_mixed

    def _is_put_among_numbers(self, word: Instruction) -> bool:
        """True if nothing but its type tells that the word is a pointer, and it is put where numbers lie, too.

        `void *` is a type for words of unknown kind. That of the load hides what else is known of the place.
        """
        if not isinstance(word.type, PointerType) or self.types.declared.kind(word) is Kind.POINTER:
            return False
        stores = [u for u in word.users if u.opcode == "store" and u.operands[0] is word]
        unknown = (u for u in stores if self.types.declared.kind_of(u, word.type) is not Kind.POINTER)
        return any(self._is_undecided(word, u.operands[1]) for u in unknown)

    def _may_be_floats(self, word: Instruction) -> bool:
        """True if the word is a double to LLVM only: it was loaded where floats may lie, too, and not as a double."""
        return any(self.types.may_be_floats(i) for i in copied(word))

    def _brings_number(self, word: Instruction, place: Value) -> bool:
        """True if the word is a pointer to LLVM only, and the place holds pointers as far as is known.

        It was loaded without a declaration where numbers may lie, too. As a pointer, a number would lose its adjoint.
        """
        if not isinstance(word.type, PointerType) or not self.types.points_to.is_private(place):
            return False
        loads = (i for i in copied(word) if i.opcode == "load" and self.types.declared.kind(i) is not Kind.POINTER)
        return any(map(self._is_source, loads))

    def _is_open_word(self, word: Instruction, place: Value) -> bool:
        declared = self.types.declared.kind(word) if word.opcode == "load" else None
        is_integer = isinstance(word.type, IntType)
        if is_integer and declared is Kind.INTEGER:
            return False
        kind = self.types.values.kind(word)
        return (is_integer and kind in _OPEN) or (declared is not kind and self._is_mixed(word, place))

    def _must_be_in_memory(self, word: Instruction) -> bool:
        return word.opcode in OUT_OF_INTEGER or any(self._carries_on(word, user) for user in word.users)

    def _carries_on(self, word: Instruction, user: Instruction) -> bool:
        """True if the user moves the word to mixed memory, or reads it as another type."""
        if user.opcode == "store" and user.operands[0] is word:
            place = user.operands[1]
            return self._is_undecided(word, place) or self._may_be_floats(word) or self._brings_number(word, place)
        if user.opcode == "ptrtoint":
            apart = any(u.opcode in TAKES_PART for u in user.users)
            kinds = {kind for _, _, kind in self.types.values.parts(user)}
            return apart or Kind.CONFLICT in kinds or bool(kinds & FLOATS)
        if user.opcode in TAKES_PART:
            return any(_becomes_number(u) for u in [user, *user.users])
        return user.opcode in OUT_OF_INTEGER

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
            store_parts(b.store(zero(value.type) if isinstance(value, ConstantWord) else value, slot, 8))

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
        read = b.load(cast.type, b.offset(slot, at), gcd(at, _LARGEST))
        cast.replace_uses(read)
        cast.erase()


def _is_passed_number(i: Instruction) -> bool:
    """True if it is a pointer made of a number, and stays in registers. It has no adjoint: refusals must see it."""
    if i.opcode != "inttoptr" or any(user.opcode == "store" for user in i.users):
        return False
    number = i.operands[0]
    return (
        isinstance(number, Instruction)
        and number.opcode == "bitcast"
        and isinstance(number.operands[0].type, FloatType)
    )


def _is_word(type_: Type) -> bool:
    return isinstance(type_, PointerType | IntType | FloatType) and store_size(type_) in (_SMALLEST, _LARGEST)


def _moved(function: Function) -> set[Instruction]:
    """Returns the words that the code stores or casts, and all in a web with one: types tell nothing of others.

    The webs are taken as if all words were mixed.
    """

    def near(word: Instruction) -> list[Instruction]:
        found = CHOSEN.users(word)
        if word.opcode in CHOSEN:
            found += [o for o in word.operands if isinstance(o, Instruction)]
        return found

    starts = (
        i for i in function.instructions() if i.opcode in OUT_OF_INTEGER or any(_may_carry_on(i, u) for u in i.users)
    )
    return set(reachable(starts, near))


def _may_carry_on(word: Instruction, user: Instruction) -> bool:
    """True unless the user's opcode shows that `_Demotion._carries_on` is false."""
    if user.opcode == "store":
        return user.operands[0] is word
    if user.opcode in TAKES_PART:
        return any(_becomes_number(u) for u in [user, *user.users])
    return user.opcode in _CASTS


def _web(source: Instruction, is_source: Callable[[Instruction], bool]) -> list[Instruction]:
    """The closure of the word under phi, select and freeze, in both directions, over mixed words only."""

    def near(word: Instruction) -> Iterator[Instruction]:
        yield from (u for u in COPIED.users(word) if u.type == word.type)
        yield from (o for o in COPIED.operands(word) if isinstance(o, Instruction) and is_source(o))

    return list(reachable([source], near))


def _is_cut(web: list[Instruction]) -> bool:
    """True if the words are known to be doubles, and halves of them move on as if they were floats.

    A float has an adjoint of its own, so that nothing would put the halves of the double's adjoint together.
    """
    if not all(word.opcode == "bitcast" and isinstance(word.type, IntType) for word in web):
        return False
    cuts = uses(web, PART)
    floats = (u for cut in cuts for u in cut.users if cut not in web and u.opcode == "bitcast")
    return any(user.opcode in _MOVES_ON for f in floats for user in f.users)


_MOVES_ON = COPIES | PASSES_ON


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
