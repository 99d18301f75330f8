"""Keeps words in memory that are numbers at one time, pointers or integers at another, before all else.

LLVM makes registers of unions: it loads a pointer, say, and where the union held floats, takes these out of the
pointer's bits. A register has an adjoint or a shadow, by its type; memory can have either (mixed.py). So a register
that carries such a word from one place to another, or takes it apart, becomes a slot on the stack and copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.type_analysis.analysis import FLOATS, Kind, TypeAnalysis
from ...ir.builder import Builder, insert_before, int_constant, zero
from ...ir.types import I1, I8, VOID, ArrayType, FloatType, IntType, PointerType, Type, VectorType, store_size
from ...ir.values import Block, ConstantInt, ConstantWord, Function, Instruction, Value

_MOVES = ("phi", "select", "freeze")
_CASTS = ("ptrtoint", "inttoptr", "bitcast", "trunc", "lshr")
_SMALLEST = 4


def demote_mixed_words(functions: Iterable[Function], types: TypeAnalysis) -> bool:
    """Rewrites the functions in place; whether there was anything to do, so that types must be analysed again."""
    return sum(_Demotion(function, types).run() for function in functions) > 0


def load_as_read(function: Function) -> None:
    """An integer that is loaded to be read as a number or pointer, perhaps besides, is loaded as that, too."""
    for i in list(function.instructions()):
        if i.opcode == "load" and isinstance(i.type, IntType) and not {"atomic", "volatile"} & set(i.flags):
            for user in [u for u in i.users if u.opcode in ("bitcast", "inttoptr")]:
                load_instead(i, user, 0)


def load_instead(load: Instruction, cast: Instruction, at: int) -> None:
    """What is made of some bytes of a loaded value, from byte `at` on, is loaded itself."""
    b = Builder(Block())
    read = b.load(cast.type, b.offset(load.operands[0], at, ()), load.memory.align if at == 0 else 1)
    insert_before(load, b)
    cast.replace_uses(read)
    cast.erase()


def _load_numbers(load: Instruction, part: Instruction, at: int) -> int:
    """Numbers that are taken out of the bits of a pointer (`part` lies at a byte of it) are loaded; how many."""
    found = 0
    for user in list(part.users):
        if user.opcode in ("ptrtoint", "trunc"):
            found += _load_numbers(load, user, at)
        elif user.opcode == "lshr" and isinstance(user.operands[1], ConstantInt) and user.operands[1].value % 8 == 0:
            narrow = [u for u in user.users if u.opcode == "trunc"]
            found += sum(_load_numbers(load, u, at + user.operands[1].value // 8) for u in narrow)
        elif user.opcode == "bitcast" and isinstance(user.type, FloatType | VectorType):
            load_instead(load, user, at)
            found += 1
    return found


class _Demotion:
    """The words of one function that go to memory, each with the slot it gets there."""

    def __init__(self, function: Function, types: TypeAnalysis) -> None:
        self.function = function
        self.types = types
        self.slots: dict[Instruction, Value] = {}

    def run(self) -> bool:
        read = sum(_load_numbers(i, i, 0) for i in list(self.function.instructions()) if self._is_of_caller(i))
        words: list[Instruction] = []
        done: set[Instruction] = set()
        for source in [i for i in self.function.instructions() if self._is_source(i)]:
            if source not in done:
                web = _web(source, self._is_source)
                done.update(web)
                words += web if any(map(self._must_be_in_memory, web)) else []
        for word in words:
            self.slots[word] = self._new_slot(word.type)
        for word in words:
            self._fill(word)
        for word in words:
            self._use(word)
        for word in words:
            if word.opcode != "load" or not word.users:
                word.drop_operands()
        for word in words:
            if word.block is not None and not word.operands:
                word.erase()
        return bool(words) or read > 0

    # -- which

    def _is_of_caller(self, i: Instruction) -> bool:
        """A pointer loaded out of memory that the gradient's caller passes, where numbers may lie, too."""
        if i.opcode != "load" or not isinstance(i.type, PointerType) or {"atomic", "volatile"} & set(i.flags):
            return False
        return not self.types.is_private(i.operands[0]) and self.types.is_mixed(i.operands[0], store_size(i.type))

    def _is_source(self, i: Instruction) -> bool:
        """A load of such a word, or the bits of a number where also a pointer or an integer may be (or the reverse)."""
        if i.opcode == "load":
            return _is_word(i.type) and "atomic" not in i.flags and self._is_undecided(i, i.operands[0])
        if i.opcode == "inttoptr":
            return any(kind in FLOATS or kind is Kind.CONFLICT for _, _, kind in self.types.value_parts(i.operands[0]))
        if i.opcode == "bitcast" and isinstance(i.type, FloatType):
            return i.operands[0].type == IntType(64) and self.types.may_be_pointer(i.operands[0])
        if i.opcode == "bitcast" and isinstance(i.type, IntType) and isinstance(i.operands[0].type, FloatType):
            return self.types.value_kind(i) is Kind.CONFLICT
        return False

    def _is_undecided(self, word: Instruction, place: Value) -> bool:
        """Whether what goes between the register and the place in memory may be one or the other."""
        if not self.types.is_private(place):
            return False
        if isinstance(word.type, IntType) and self.types.value_kind(word) is Kind.CONFLICT:
            return True
        return self.types.is_mixed(place, store_size(word.type))

    def _must_be_in_memory(self, word: Instruction) -> bool:
        return word.opcode in ("inttoptr", "bitcast") or any(self._carries_on(word, user) for user in word.users)

    def _carries_on(self, word: Instruction, user: Instruction) -> bool:
        """Whether the user moves the word to where it may be either, or sees it as the other."""
        if user.opcode == "store" and user.operands[0] is word:
            return self._is_undecided(word, user.operands[1])
        if user.opcode == "ptrtoint":
            apart = any(u.opcode in ("trunc", "lshr") for u in user.users)
            kinds = {kind for _, _, kind in self.types.value_parts(user)}
            return apart or Kind.CONFLICT in kinds or bool(kinds & FLOATS)
        if user.opcode in ("trunc", "lshr"):
            return any(_becomes_number(u) for u in [user, *user.users])
        return user.opcode in ("bitcast", "inttoptr")

    # -- into slots

    def _new_slot(self, type_: Type) -> Value:
        b = Builder(Block())
        slot = b.alloca(ArrayType(I8, store_size(type_)), align=8)
        self.function.entry.insert(0, slot)
        return slot

    def _fill(self, word: Instruction) -> None:
        b = Builder(Block())
        if word.opcode == "phi":
            self._fill_phi(word)
            return
        if word.opcode == "load":
            _copy(b, self.slots[word], word.operands[0], store_size(word.type))
        elif word.opcode == "select":
            places = [self._place(b, o) for o in word.operands[1:]]
            _copy(b, self.slots[word], b.select(word.operands[0], places[0], places[1]), store_size(word.type))
        else:
            self._put(b, self.slots[word], word.operands[0])
        insert_before(word, b)

    def _fill_phi(self, phi: Instruction) -> None:
        """Through a second slot: phis of a block are all evaluated at once. Each value on its own way: others never
        put it there."""
        arriving = self._new_slot(phi.type)
        assert phi.block is not None
        for predecessor, value in {p: v for v, p in phi.incoming}.items():
            b = Builder(Block())
            self._put(b, arriving, value)
            insert_before(_alone(predecessor, phi.block).terminator, b)
        b = Builder(Block())
        _copy(b, self.slots[phi], arriving, store_size(phi.type))
        insert_before(_first_after_phis(phi), b)

    def _put(self, b: Builder, slot: Value, value: Value) -> None:
        if isinstance(value, Instruction) and value in self.slots:
            _copy(b, slot, self.slots[value], store_size(value.type))
        else:
            b.store(zero(value.type) if isinstance(value, ConstantWord) else value, slot, 8)

    def _place(self, b: Builder, value: Value) -> Value:
        """A slot that holds the value."""
        if isinstance(value, Instruction) and value in self.slots:
            return self.slots[value]
        slot = self._new_slot(value.type)
        self._put(b, slot, value)
        return slot

    # -- out of slots

    def _use(self, word: Instruction) -> None:
        self._use_part(word, self.slots[word], 0)
        rest = [u for u in word.users if u not in self.slots or u.opcode == "load"]
        if rest and word.opcode != "load":
            b = Builder(Block())
            again = b.load(word.type, self.slots[word], 8)
            insert_before(_first_after_phis(word) if word.opcode == "phi" else word, b)
            if word.opcode == "phi":
                _move_after_copy(again, self.slots[word])
            for user in rest:
                user.replace_operand(word, again)

    def _use_part(self, part: Instruction, slot: Value, at: int) -> None:
        """Users of a part of a word that read it as something else, or store it, are given the slot's bytes."""
        for user in list(part.users):
            if user in self.slots:
                continue
            b = Builder(Block())
            if user.opcode == "store" and user.operands[0] is part and user.operands[1] is not part:
                _copy(b, user.operands[1], b.offset(slot, at), store_size(part.type))
                insert_before(user, b)
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
        b = Builder(Block())
        read = b.load(cast.type, b.offset(slot, at), 1)
        insert_before(cast, b)
        cast.replace_uses(read)
        cast.erase()


def _is_word(type_: Type) -> bool:
    return isinstance(type_, PointerType | IntType | FloatType) and store_size(type_) in (_SMALLEST, 8)


def _web(source: Instruction, is_source: object) -> list[Instruction]:
    """The word and all that it flows into by moves, with what else flows into these and is such a word."""
    assert callable(is_source)
    found = {source: None}
    work = [source]
    while work:
        word = work.pop()
        ahead: Iterator[Instruction] = (u for u in word.users if u.opcode in _MOVES and u.type == word.type)
        behind = [o for o in word.operands if isinstance(o, Instruction)] if word.opcode in _MOVES else []
        for near in [*ahead, *(o for o in behind if is_source(o))]:
            if near not in found and not (near.opcode == "select" and near.operands[0] is word):
                found[near] = None
                work.append(near)
    return list(found)


def _becomes_number(i: Instruction) -> bool:
    return any(u.opcode == "bitcast" and isinstance(u.type, FloatType | VectorType) for u in i.users)


def _copy(b: Builder, to: Value, origin: Value, size: int) -> None:
    b.call("@llvm.memcpy.p0.p0.i64", VOID, (to, origin, int_constant(size), int_constant(0, I1)))


def _alone(predecessor: Block, block: Block) -> Block:
    """The predecessor, or a new block behind it, from which control goes on to the block only."""
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


def _move_after_copy(load: Instruction, slot: Value) -> None:
    """The copy into a phi's slot comes first in the block, then what reads the slot."""
    block = load.block
    assert block is not None
    filled = next(i for i in block.instructions if i.opcode == "call" and i.operands and i.operands[0] is slot)
    block.instructions.remove(load)
    block.insert(block.instructions.index(filled) + 1, load)
