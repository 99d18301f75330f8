"""Integers that the program declares, but which hold the bits of a number at one time and an address at another.

Interpreters keep values in such words (`uint64_t`). What is declared is then neither, so the declarations are dropped:
the words count as members of unions do. Where only numbers, or only addresses, go through integers, they stay.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from ....analysis.type_analysis.declared.tbaa import Tbaa
from ....analysis.type_analysis.kinds import Kind
from ....ir.constants import Constant, GlobalRef
from ....ir.instructions import ACCESSES, INTEGER_SUMS, LOGIC, WORD_CASTS
from ....ir.types import DOUBLE, I64, PTR, NamedStruct, StructType
from ....ir.value_edges import TAGGED_WORD
from ....ir.values import Block, Function, Instruction, Value

_NUMBER, _ADDRESS = 1, 2
_EVIDENCE = {DOUBLE: _NUMBER, PTR: _ADDRESS}
_WORDS = (I64, DOUBLE, PTR)
_SIZE = 8
#: instructions that move words, or change their tags
_CHANGES_TAG = LOGIC | INTEGER_SUMS
_OPCODES = TAGGED_WORD | WORD_CASTS | ACCESSES | {"call"}


def forget_declared_words(tbaa: Tbaa, functions: Iterable[Function]) -> None:
    """Drops the declarations of such words, in place."""
    functions = list(functions)
    accesses = [access for f in functions for access in _declared(tbaa, f)]
    instructions = [i for f in functions for i in f.instructions() if i.opcode in _OPCODES]
    if not accesses or not (any(a.value.type == DOUBLE for a in accesses) or any(map(_is_of_number, instructions))):
        return
    words = _Words()
    bodies = {f.name: f for f in functions}
    for i in instructions:
        words.note(i, bodies)
    for access in accesses:
        if access.value.type == I64:
            words.join(access.place, access.value)
        words.find(access.place).holds |= _EVIDENCE.get(access.value.type, 0)
    for access in accesses:
        if words.find(access.place).holds == _NUMBER | _ADDRESS:
            i = access.instruction
            i.metadata = tuple(entry for entry in i.metadata if entry[0] != "!tbaa")


class _Access(NamedTuple):
    """A load or store of a word that `!tbaa` declares an integer. `place`: what it declares."""

    instruction: Instruction
    value: Value
    place: Hashable


def _declared(tbaa: Tbaa, function: Function) -> Iterator[_Access]:
    for i in function.instructions():
        value = i if i.opcode == "load" else i.operands[0] if i.opcode == "store" else None
        if value is None or value.type not in _WORDS:
            continue
        tag = tbaa.scalar_access(i, _SIZE)
        if tag is not None and tag.kind is Kind.INTEGER and tag.size == _SIZE:
            yield _Access(i, value, tbaa.tag_of(i))


class _Class:
    """Words that are moved to each other, and what they hold: bits of numbers, addresses."""

    def __init__(self) -> None:
        self.parent = self
        self.holds = 0


class _Words:
    """The classes of the program's words."""

    def __init__(self) -> None:
        self._classes: dict[Hashable, _Class] = {}

    def find(self, word: Hashable) -> _Class:
        found = self._classes.setdefault(word, _Class())
        while found.parent is not found:
            found.parent = found.parent.parent
            found = found.parent
        return found

    def join(self, a: Hashable, b: Hashable) -> None:
        if isinstance(a, Constant) or isinstance(b, Constant):
            return
        first, second = self.find(a), self.find(b)
        if first is not second:
            second.parent = first
            first.holds |= second.holds

    def note(self, i: Instruction, bodies: dict[str, Function]) -> None:
        """Enters what an instruction says of words in registers."""
        if i.opcode in WORD_CASTS:
            self._note_cast(i, i.operands[0])
        elif i.opcode in TAGGED_WORD:
            for operand in i.operands if _keeps_word(i) else ():
                if _may_be_word(i) and _may_be_word(operand):
                    self.join(i, operand)
        elif i.opcode == "load":
            for other in _loads_of_same_word(i):
                self.find(other).holds |= _EVIDENCE[i.type]
        elif i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name in bodies:
            self._note_call(i, bodies[i.callee.name])

    def _note_cast(self, cast: Instruction, operand: Value) -> None:
        word, other = (cast, operand) if cast.type == I64 else (operand, cast)
        if word.type == I64 and not isinstance(word, Constant):
            self.find(word).holds |= _EVIDENCE.get(other.type, 0)

    def _note_call(self, call: Instruction, body: Function) -> None:
        for actual, formal in zip(call.arguments, body.arguments, strict=False):
            if formal.type == I64:
                self.join(formal, actual)
        for block in body.blocks:
            if block.terminator.opcode == "ret" and block.terminator.operands and call.type == I64:
                self.join(call, block.terminator.operands[0])


def _loads_of_same_word(load: Instruction) -> list[Instruction]:
    """Returns the loads of a word as an integer that is loaded as a number or pointer, too (load_as_read)."""
    if load.type not in _EVIDENCE or load.metadata_node("!tbaa") is not None:
        return []
    users = getattr(load.operands[0], "users", ())
    return [i for i in users if i.opcode == "load" and i.type == I64 and i.block is load.block]


def _is_of_number(i: Instruction) -> bool:
    """Returns whether a number is an integer here, too."""
    if i.opcode == "bitcast":
        return {i.type, i.operands[0].type} == {I64, DOUBLE}
    return i.opcode == "load" and i.type == DOUBLE and bool(_loads_of_same_word(i))


def _may_be_word(value: Value) -> bool:
    return not isinstance(value, Block) and (value.type == I64 or isinstance(value.type, StructType | NamedStruct))


def _keeps_word(i: Instruction) -> bool:
    """Returns whether the result is one of the operands, or one with a changed tag."""
    return i.opcode not in _CHANGES_TAG or (i.type == I64 and isinstance(i.operands[1], Constant))
