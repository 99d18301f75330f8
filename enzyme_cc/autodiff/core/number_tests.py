"""Tests whether numbers are infinite or NaN, in a form that LLVM's vectoriser can take (`--enzyme-check`).

A branch to notes keeps LLVM from vectorising a loop. So a test in a loop is a call of a function, which has forms for
several iterations at once. The vectoriser finds them by an attribute, "vector-function-abi-variant". LLVM inlines tests
only after that (link/merged_module/finished.py), and drops the forms that no loop uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.module import Module
from ...ir.types import DOUBLE, FLOAT, I1, VOID, FloatType, FunctionType, IntType, Type, VectorType, scalar
from ...ir.types import with_same_shape as shaped
from ...ir.values import Argument, Function, Local, Value
from ...rules import runtime_functions as runtime

#: the names of tests begin so
NUMBER_TESTS = "__ez_test_numbers"
#: a test with more parameters would be in a loop that LLVM does not vectorise
_MOST_PARAMETERS = 200
#: LLVM vectorises for registers of this size at least, and of this size at most
_SMALLEST, _LARGEST = 16, 64
_EFFECTS = "nounwind willreturn memory(inaccessiblemem: readwrite)"


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
    """A test of some numbers of a block, and the functions that it is made of."""

    def __init__(self, module: Module, like: Function, tested: Sequence[Value], notes: Sequence[Note]) -> None:
        """`like`: the function that calls the test, whose target it has."""
        self._module = module
        self.tested = tested
        self.notes = notes
        given = (*tested, *(number for note in notes for number in note.numbers))
        self.arguments = [value for value in dict.fromkeys(given) if isinstance(value, Local)]
        groups = re.findall(r"#\d+", like.suffix)
        words = " ".join(module.attributes.get(group, "") for group in groups).split()
        self._attributes = " ".join(word for word in words if word not in ("noinline", "nounwind"))

    @property
    def is_small(self) -> bool:
        return len(self.arguments) <= _MOST_PARAMETERS

    def call(self, b: Builder) -> None:
        """Emits a call of the test, and adds its functions to the module."""
        name = self._module.fresh_name(f"@{NUMBER_TESTS}")
        types = [argument.type for argument in self.arguments]
        notes = self._function(f"{name}.notes", types, "noinline cold nounwind", self._fill_notes)
        forms = [self._lanes(name, notes, lanes) for lanes in _lane_counts(types)]
        listed = ",".join(f"_ZGV_LLVM_M{n}{'v' * len(types)}_{name[1:]}({form[1:]})" for n, form in forms)
        variants = f'"vector-function-abi-variant"="{listed}"'

        def fill(test: Function) -> None:
            b = Builder(test.add_block())
            is_odd = emit_test(b, self._given(test, self.tested))
            _branch(b, is_odd, lambda b: b.call(notes, VOID, test.arguments))

        self._function(name, types, f"{_EFFECTS} {variants}", fill)
        b.call(name, VOID, self.arguments)

    def _function(self, name: str, types: Sequence[Type], words: str, fill: Callable[[Function], None]) -> str:
        arguments = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
        attributes = self._module.add_attributes(f"{words} {self._attributes}".strip())
        made = Function(name, FunctionType(VOID, tuple(types)), arguments, "internal", attributes)
        fill(made)
        self._module.add_function(made)
        return name

    def _given(self, made: Function, values: Sequence[Value]) -> list[Value]:
        """Returns the parameters that stand for values of the block. Constants stand for themselves."""
        parameters = dict(zip(self.arguments, made.arguments, strict=False))
        return [parameters.get(value, value) if isinstance(value, Local) else value for value in values]

    def _fill_notes(self, made: Function) -> None:
        b = Builder(made.add_block())
        emit_notes(b, [Note(self._given(made, note.numbers), note.place) for note in self.notes])
        b.ret()
        self._module.declare(f"@{runtime.NOTE_NUMBER.name}", runtime.NOTE_NUMBER.type)

    def _lanes(self, name: str, notes: str, lanes: int) -> tuple[int, str]:
        """Adds the form for several iterations, which are active in a mask. Returns its name."""
        bits = IntType(lanes)
        types: list[Type] = [VectorType(argument.type, lanes) for argument in self.arguments]

        def fill_notes(made: Function) -> None:
            _for_each_lane(made, lanes, notes)

        def fill(test: Function) -> None:
            b = Builder(test.add_block())
            mask = test.arguments[-1]
            is_odd = b.select(mask, emit_test(b, self._given(test, self.tested)), zero(mask.type))
            found = b.cast("bitcast", is_odd, bits)
            is_any = b.icmp("ne", found, int_constant(0, bits))
            _branch(b, is_any, lambda b: b.call(f"{name}.notes_of_{lanes}", VOID, [*test.arguments[:-1], found]))

        self._function(f"{name}.notes_of_{lanes}", [*types, bits], "noinline cold nounwind", fill_notes)
        form = self._function(f"{name}.of_{lanes}", [*types, VectorType(I1, lanes)], "nounwind", fill)
        return lanes, form


def _branch(b: Builder, is_odd: Value, note: Callable[[Builder], object]) -> None:
    """Emits the notes if a number is odd, and the end of the test."""
    assert b.block.function is not None
    noted, rest = (b.block.function.add_block() for _ in range(2))
    b.cond_br(is_odd, noted, rest)
    note(b.at(noted))
    b.at(noted).br(rest)
    b.at(rest).ret()


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
