"""Tests whether numbers are infinite or NaN, in a form that LLVM's vectoriser can take (`--enzyme-check`).

A branch to notes keeps LLVM from vectorising a loop. So a test in a loop is a call of a function, which has forms for
several iterations at once. The vectoriser finds them by an attribute, "vector-function-abi-variant". LLVM inlines tests
only after that (link/merged_module/finished.py), and drops the forms that no loop uses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.instructions import FLOAT_ARITHMETIC
from ...ir.module import Module
from ...ir.types import DOUBLE, FLOAT, I1, VOID, FloatType, FunctionType, IntType, Type, VectorType, scalar
from ...ir.types import with_same_shape as shaped
from ...ir.values import Argument, Function, Instruction, Local, Value
from ...rules import runtime_functions as runtime

#: the names of tests begin so
NUMBER_TESTS = "__ez_test_numbers"
#: a test with more parameters would be in a loop that LLVM does not vectorise
_MOST_PARAMETERS = 200
#: LLVM vectorises for registers of this size at least, and of this size at most
_SMALLEST, _LARGEST = 16, 64
#: notes are not of the memory that derivatives use
_EFFECTS = "nounwind willreturn memory(inaccessiblemem: readwrite)"
_NOTES = "noinline cold nounwind"


class Note(NamedTuple):
    """What is said of an operation if a number is odd: its result and up to two operands, and where it is."""

    numbers: Sequence[Value]
    place: Value


def emit_notes(b: Builder, notes: Sequence[Note]) -> None:
    """Emits the notes, of which the runtime keeps the first."""
    for note in notes:
        numbers = [b.resize_float(number, DOUBLE) for number in note.numbers]
        runtime.NOTE_NUMBER.call(b, *numbers, *[zero(DOUBLE)] * (3 - len(numbers)), note.place)


def emit_test(b: Builder, tested: Sequence[Value]) -> Value:
    """Emits whether a number is odd: the product of zero and numbers is a NaN then. Of vectors: in which lanes."""
    widest = DOUBLE if any(scalar(number.type) == DOUBLE for number in tested) else FLOAT
    nothing = zero(shaped(widest, tested[0].type))
    product: Value = nothing
    for number in tested:
        product = b.fmul(product, b.resize_float(number, nothing.type))
    return b.fcmp("uno", product, nothing)


class NumberTest:
    """A test of some numbers of a block, and the functions that it is made of.

    Notes compute the operations again, of what the block had before: so the loop need not keep what it computes on the
    way. The test is given what notes need and what it looks at.
    """

    def __init__(self, module: Module, like: Function, tested: Sequence[Value], notes: Sequence[Note]) -> None:
        """`like`: the function that calls the test, whose target it has."""
        self._module = module
        self._tested = tested
        self._notes = notes
        results = [note.numbers[0] for note in notes]
        self._again = dict.fromkeys(i for i in results if isinstance(i, Instruction) and _is_arithmetic(i))
        needed = [
            *(operand for i in self._again for operand in i.operands),
            *(n for note in notes for n in note.numbers),
        ]
        self._inputs = [v for v in dict.fromkeys(needed) if isinstance(v, Local) and v not in self._again]
        self._arguments = list(dict.fromkeys((*tested, *self._inputs)))
        groups = re.findall(r"#\d+", like.suffix)
        words = " ".join(module.attributes.get(group, "") for group in groups).split()
        self._attributes = " ".join(word for word in words if word not in ("noinline", "nounwind"))

    @property
    def is_small(self) -> bool:
        return len(self._arguments) <= _MOST_PARAMETERS

    def call(self, b: Builder) -> None:
        """Emits a call of the test, and adds its functions to the module."""
        name = self._module.fresh_name(f"@{NUMBER_TESTS}")
        types = [argument.type for argument in self._arguments]
        forms = [(lanes, self._add_form(name, lanes)) for lanes in _lane_counts(types)]
        listed = ",".join(f"_ZGV_LLVM_M{n}{'v' * len(types)}_{name[1:]}({form[1:]})" for n, form in forms)
        test = self._add(name, types, f'{_EFFECTS} "vector-function-abi-variant"="{listed}"')
        given = dict(zip(self._arguments, test.arguments, strict=True))
        is_odd = emit_test(Builder(test.add_block()), [given[number] for number in self._tested])
        _branch(test, is_odd, f"{name}.notes", [given[value] for value in self._inputs])
        self._add_notes(f"{name}.notes")
        b.call(name, VOID, self._arguments)

    def _add(self, name: str, types: Sequence[Type], words: str) -> Function:
        """Adds a function without a body."""
        arguments = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
        attributes = self._module.add_attributes(f"{words} {self._attributes}".strip())
        type_ = FunctionType(VOID, tuple(types))
        return self._module.add_function(Function(name, type_, arguments, "internal", attributes))

    def _add_notes(self, name: str) -> None:
        made = self._add(name, [value.type for value in self._inputs], _NOTES)
        b = Builder(made.add_block())
        known: dict[Value, Value] = dict(zip(self._inputs, made.arguments, strict=True))
        for note in self._notes:
            i = note.numbers[0]
            if i in self._again:
                operands = [known.get(operand, operand) for operand in i.operands]
                known[i] = b.insert(Instruction(i.opcode, i.type, operands, i.extra, i.flags))
            emit_notes(b, [Note([known.get(number, number) for number in note.numbers], note.place)])
        b.ret()
        self._module.declare(f"@{runtime.NOTE_NUMBER.name}", runtime.NOTE_NUMBER.type)

    def _add_form(self, name: str, lanes: int) -> str:
        """Adds the form for several iterations, which are active in a mask. Returns its name."""
        bits, mask = IntType(lanes), VectorType(I1, lanes)
        types = [VectorType(argument.type, lanes) for argument in self._arguments]
        test = self._add(f"{name}.of_{lanes}", [*types, mask], "nounwind")
        given = dict(zip(self._arguments, test.arguments, strict=False))
        b = Builder(test.add_block())
        is_odd = b.select(test.arguments[-1], emit_test(b, [given[number] for number in self._tested]), zero(mask))
        found = b.cast("bitcast", is_odd, bits)
        is_any = b.icmp("ne", found, int_constant(0, bits))
        notes = f"{name}.notes_of_{lanes}"
        _branch(test, is_any, notes, [*(given[value] for value in self._inputs), found])
        types = [VectorType(value.type, lanes) for value in self._inputs]
        _for_each_lane(self._add(notes, [*types, bits], _NOTES), lanes, f"{name}.notes")
        return test.name


def _is_arithmetic(i: Instruction) -> bool:
    """Returns whether it computes a number of numbers alone."""
    is_known = i.opcode in FLOAT_ARITHMETIC or i.callee_name.startswith("@llvm.")
    return is_known and all(isinstance(value.type, FloatType) for value in i.operands if isinstance(value, Local))


def _branch(test: Function, is_odd: Value, notes: str, given: Sequence[Value]) -> None:
    """Ends a test: it calls the notes if a number is odd."""
    noted, rest = test.add_block(), test.add_block()
    Builder(test.entry).cond_br(is_odd, noted, rest)
    b = Builder(noted)
    b.call(notes, VOID, given)
    b.br(rest)
    Builder(rest).ret()


def _lane_counts(types: Sequence[Type]) -> list[int]:
    """Returns for how many iterations at once LLVM may vectorise a loop with numbers of these types."""
    sizes = [type_.bits // 8 for type_ in types if isinstance(type_, FloatType)]
    counts = (2**k for k in range(1, 6))
    return [n for n in counts if n * max(sizes) >= _SMALLEST and n * min(sizes) <= _LARGEST]


def _for_each_lane(made: Function, lanes: int, notes: str) -> None:
    """Fills a function that writes the notes of each lane in which the last parameter has a bit."""
    entry, head, noted, after, end = (made.add_block() for _ in range(5))
    b = Builder(entry)
    places = [b.alloca(vector.type) for vector in made.arguments[:-1]]
    for vector, place in zip(made.arguments, places, strict=False):
        b.store(vector, place)
    b.br(head)
    bits = made.arguments[-1].type
    b = Builder(head)
    lane = b.phi(bits, [(int_constant(0, bits), entry)])
    found = b.int_op("and", b.int_op("lshr", made.arguments[-1], lane), int_constant(1, bits))
    b.cond_br(b.icmp("ne", found, int_constant(0, bits)), noted, after)
    b = Builder(noted)
    index = b.cast("zext", lane, IntType(64))
    numbers = []
    for vector, place in zip(made.arguments, places, strict=False):
        number = scalar(vector.type)
        numbers.append(b.load(number, b.gep(number, place, (index,))))
    b.call(notes, VOID, numbers)
    b.br(after)
    b = Builder(after)
    following = b.add(lane, int_constant(1, bits))
    lane.append_operand(following)
    lane.append_operand(after)
    b.cond_br(b.icmp("eq", following, int_constant(lanes, bits)), end, head)
    Builder(end).ret()
