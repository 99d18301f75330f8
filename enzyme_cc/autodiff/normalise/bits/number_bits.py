"""Derivatives of numbers that integer arithmetic makes from the bits of other numbers.

Math libraries scale a number by adding to its exponent, split it by masking its fraction, and guess a root by dividing
its bits. Integers have no derivatives, so that these numbers would be constants, or refused. analysis/integers/bits.py
finds the slope f' of the integer function f. The derivative of y = number(f(bits(x))) is then f' ulp(y) / ulp(x), where
each ulp has the sign of its number.

Numbers for which there is no such answer are not changed, and refused later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial, reduce
from typing import TypeGuard

from ....analysis.activity.joined_words import joined_words
from ....analysis.integers.bit_steps import (
    CONSTANT,
    FRACTION,
    NOTHING,
    Part,
    choice,
    float_like,
    takes_bits,
    takes_value,
)
from ....analysis.integers.bits import HeldBits, joined_with_computed, made_into_numbers, makes_number
from ....analysis.type_analysis.analysis import FLOATS, Kind, TypeAnalysis
from ....analysis.type_analysis.declared.tbaa import Tbaa
from ....analysis.values.flow import stripped
from ....ir.builder import Builder, put_in_place
from ....ir.constants import ConstantInt
from ....ir.folding import float_constant, int_constant, zero
from ....ir.graphs import reachable
from ....ir.instructions import FLOAT_TO_INTEGER
from ....ir.types import (
    I1,
    FloatType,
    IntType,
    Type,
    store_size,
    with_same_shape,
)
from ....ir.value_edges import PART
from ....ir.values import (
    Function,
    Instruction,
    Value,
)
from ...core.own_functions import SLOPED, call_own
from ..vectors.vector_lanes import loaded_as
from .cast_phis import cast_before_phis
from .parts_of_words import load_instead
from .stored_bits import INTEGERS, TYPES, changes_exponent, kind_in, stores_among_numbers

Pair = tuple[Value, Value]


def follow_bits(tbaa: Tbaa, function: Function) -> None:
    """Rewrites the function in place, except bits of numbers that may be unions: LLVM loads a union as any member."""
    declared = partial(_declared_kind, tbaa)
    _load_numbers(function, declared)
    _rewrite(function, _loaded_without_type(function, declared))


def _rewrite(function: Function, open_bits: Collection[Instruction] = ()) -> None:
    made = [i for i in function.instructions() if makes_number(i)]
    if made:
        _Rewriting(HeldBits(function), open_bits).run(made)


def _loaded_without_type(function: Function, declared: Callable[[Instruction], Kind | None]) -> list[Instruction]:
    """Returns the casts to integers of numbers whose loads do not tell that the program reads a number there."""
    casts = [i for i in function.instructions() if takes_bits(i) and isinstance(i.type, IntType)]
    loads = [(i, i.operands[0]) for i in casts]
    return [i for i, load in loads if _is_plain_load(load) and declared(load) is None]


def follow_loaded_bits(functions: Iterable[Function], types: TypeAnalysis) -> bool:
    """As follow_bits, for loads whose type only the type analysis knows. Returns true if anything changed."""
    return sum(_follow_loaded(function, types) for function in functions) > 0


def _follow_loaded(function: Function, types: TypeAnalysis) -> bool:
    """Loads the bits themselves where other numbers or pointers lie at other times. Follows all other bits."""
    stores = stores_among_numbers(function, types)
    values = {i.operands[0]: number for i, number in stores.items()}
    surely = [value for value, number in values.items() if changes_exponent(value, number)]
    found = _load_numbers(function, partial(_kind_beside_integers, types), surely)
    if len(surely) < len(values):
        found = _load_numbers(function, partial(_kind_in_memory, types), values) or found
    casts = _loaded_without_type(function, types.declared.kind)
    for cast in casts:
        load = cast.operands[0]
        assert isinstance(load, Instruction)
        kinds = frozenset().union(*types.contents_of(load.operands[:1], store_size(load.type)).words())
        if len(kinds) > 1:
            load_instead(load, cast, 0)
    if _store_numbers(function, stores):
        cast_before_phis(function)
        _load_words(function)
        found = True
    if casts or found:
        _rewrite(function)
    return bool(casts or found)


def _store_numbers(function: Function, stores: dict[Instruction, FloatType]) -> bool:
    """Stores as numbers what the code computes from the bits of numbers. Returns true if there is anything."""
    if not stores:
        return False
    bits, found = HeldBits(function), False
    for i, number in stores.items():
        value = i.operands[0]
        held = bits.held.get(value) if value in bits.of_bits else None
        is_part = isinstance(held, Part) and held.number == number and held.is_smooth(number)
        if is_part or (held is NOTHING and not bits.is_made_of_digits(value, number)):
            i.replace_operand(value, Builder.before(i).cast("bitcast", value, number))
            found = True
    return found


def _load_numbers(
    function: Function, kind_of: Callable[[Instruction], Kind | None], stored: Iterable[Value] = ()
) -> bool:
    """Loads as numbers what the code loads as integers to compute with. Returns true if there are any.

    `stored`: integers that are stored where numbers lie.
    """
    found = False
    for i in joined_with_computed(made_into_numbers(function, stored)):
        if not _is_plain_load(i) or i.type not in INTEGERS:
            continue
        type_ = TYPES.get((kind_of(i), i.type.bits))
        if type_ is not None:
            put_in_place(i, partial(loaded_as, type_))
            found = True
    return found


def _load_words(function: Function) -> None:
    """Loads as numbers the words of unions that arithmetic joins to others: the sweeps ask for their derivatives."""
    words = [(w, cast.type) for cast in function.instructions() for w in joined_words(cast)]
    for word, type_ in dict.fromkeys(words):
        if _is_plain_load(word):
            put_in_place(word, partial(loaded_as, type_))


def _is_plain_load(value: Value) -> TypeGuard[Instruction]:
    if not isinstance(value, Instruction) or value.opcode != "load":
        return False
    return not {"atomic", "volatile"} & set(value.flags)


def _declared_kind(tbaa: Tbaa, i: Instruction) -> Kind | None:
    tag = tbaa.scalar_access(i, store_size(i.type))
    return tag.kind if tag is not None and tag.size == store_size(i.type) else None


def _kind_in_memory(types: TypeAnalysis, i: Instruction) -> Kind | None:
    layout = types.contents(i.operands[0], store_size(i.type)).layout
    return layout.segments[0].kind if layout is not None and len(layout.segments) == 1 else None


def _kind_beside_integers(types: TypeAnalysis, i: Instruction) -> Kind | None:
    """Returns the kind of number that lies there, also where the code computes with its bits as with integers."""
    kind = _kind_in_memory(types, i)
    if kind in FLOATS:
        return kind
    is_near = isinstance(i.type, IntType) and types.contents(i.operands[0], store_size(i.type)).holds_number
    return kind_in(types, i.operands[0], i.type) if is_near else None


class _Rewriting:
    """Rewrites the numbers that one function makes of integers.

    The integers are computed a second time from constants, and these copies make the numbers. A call of `__ez_sloped`
    gives each number its derivative.
    """

    def __init__(self, bits: HeldBits, open_bits: Collection[Instruction]) -> None:
        self.bits = bits
        self.open_bits = frozenset(open_bits)
        self.copies: dict[Value, Instruction] = {}
        self.slopes: dict[Value, Pair] = {}
        self.kept: dict[Value, Value] = {}

    def run(self, made: list[Instruction]) -> None:
        made = [i for i in made if self._is_decided(i) and not self._has_open_bits(i)]
        needed = set(reachable([i.operands[0] for i in made], self._held_operands))
        order = [i for i in self.bits.order if i in needed]
        self._copy(order)
        self._find_slopes([i for i in order if isinstance(self.bits.held[i], Part)])
        self._find_kept([i for i in order if i in self.bits.stepped])
        for i in made:
            put_in_place(i, self._number)
        self._drop_unused()

    def _held_operands(self, value: Value) -> list[Value]:
        return [o for o in value.operands if o in self.bits.held] if isinstance(value, Instruction) else []

    def _has_open_bits(self, made: Instruction) -> bool:
        return any(i in self.open_bits for i in reachable(made.operands[:1], self._held_operands))

    def _is_decided(self, made: Instruction) -> bool:
        """True if only this pass knows the derivative of the number."""
        bits, number = made.operands[0], float_like(made.type)
        held = self.bits.held.get(bits)
        assert number is not None
        if bits in self.bits.stepped and len(self.bits.whole.numbers(bits)) > 1:
            return False
        if made.opcode != "bitcast":
            is_bits = isinstance(held, Part) and held.always and not held.of_value
            return isinstance(held, Part) and is_bits and held.is_smooth(held.number)
        if not isinstance(held, Part):
            if _is_part(bits):  # of a union in a register
                return False
            is_step = held is NOTHING and bits in self.bits.of_bits
            return is_step and not self.bits.is_made_of_digits(bits, number)
        return held.number == number and not held.moved and held.is_smooth(number)

    def _number(self, b: Builder, i: Instruction) -> Value:
        bits, held = i.operands[0], self.bits.held[i.operands[0]]
        copy = self.copies[bits]
        value = b.emit(i.opcode, i.type, [copy], flags=i.flags)
        if not isinstance(held, Part):
            return value
        source, slope = self.slopes[bits]
        if bits in self.kept:
            slope = b.select(self.kept[bits], slope, zero(slope.type))
        if i.opcode == "bitcast":
            slope = b.fmul(slope, _unit(b, copy, held.number, i.type))
        else:
            slope = b.fmul(slope, float_constant(2.0 ** FRACTION[held.number], slope.type))
            # a small integer in a union, read as a number, is below all normal numbers
            slope = b.select(_is_below_normal(b, source), zero(slope.type), slope)
        return call_own(b, SLOPED, value, b.resize_float(source, i.type), b.resize_float(slope, i.type))

    def _copy(self, order: list[Instruction]) -> None:
        """Computes the integers again, from numbers that are constants for derivatives."""
        roots = {i for i in order if takes_bits(i) or takes_value(i)}
        for i in order:
            b = Builder.before(i)
            operands = [call_own(b, CONSTANT, i.operands[0])] if i in roots else []
            self.copies[i] = b.emit(i.opcode, i.type, operands, i.extra, i.flags)
        for i in order:
            copy = self.copies[i]
            for operand in i.operands if i not in roots else ():
                copy.append_operand(self.copies.get(operand, operand))

    def _find_slopes(self, order: list[Instruction]) -> None:
        """Finds the number that each integer depends on, and its derivative by that number, as a fraction of one."""
        for i in order:
            b = Builder.before(i)
            if i.opcode == "phi":
                self.slopes[i] = b.emit("phi", self._type(i)), b.emit("phi", self._type(i))
            else:
                self.slopes[i] = self._slope(b, i)
        for phi in order:
            for value, block in phi.incoming if phi.opcode == "phi" else ():
                for own, part in zip(self.slopes[phi], self._pair(value, phi), strict=True):
                    assert isinstance(own, Instruction)
                    own.append_operand(part)
                    own.append_operand(block)

    def _find_kept(self, order: list[Instruction]) -> None:
        """Finds, for each integer that may be a part of a number which was rounded to a whole one, if it was not."""
        for i in order:
            b = Builder.before(i)
            if i in self.bits.steps:
                self.kept[i] = ConstantInt(I1, 0)
            elif i.opcode == "phi":
                self.kept[i] = b.emit("phi", I1)
            elif i.opcode == "select":
                self.kept[i] = b.select(i.operands[0], *map(self._is_kept, i.operands[1:]))
            else:
                self.kept[i] = reduce(partial(b.int_op, "and"), [self.kept[o] for o in i.operands if o in self.kept])
        for phi in order:
            for value, block in phi.incoming if phi.opcode == "phi" else ():
                kept = self.kept[phi]
                assert isinstance(kept, Instruction)
                kept.append_operand(self._is_kept(value))
                kept.append_operand(block)

    def _is_kept(self, value: Value) -> Value:
        return self.kept.get(value, ConstantInt(I1, 1))

    def _type(self, i: Instruction) -> Type:
        held = self.bits.held[i]
        assert isinstance(held, Part)
        return with_same_shape(held.number, i.type)

    def _pair(self, value: Value, like: Instruction) -> Pair:
        """The number that a value depends on, and its slope; for a value that depends on none, a slope of zero."""
        type_ = self._type(like)
        return self.slopes.get(value) or (float_constant(1.0, type_), zero(type_))

    def _slope(self, b: Builder, i: Instruction) -> Pair:
        type_, held = self._type(i), self.bits.held[i]
        assert isinstance(held, Part)
        if takes_bits(i):
            unit = _unit(b, self.copies[i], held.number, type_)
            return i.operands[0], b.fdiv(float_constant(1.0, type_), unit)
        if i.opcode in FLOAT_TO_INTEGER:
            return i.operands[0], float_constant(0.5 ** FRACTION[held.number], type_)
        chosen = _chosen(b, i)
        if chosen is not None:
            condition, first, second = chosen
            (x, a), (y, c) = self._pair(first, i), self._pair(second, i)
            return b.select(condition, x, y), b.select(condition, a, c)
        source, slope = next(self.slopes[o] for o in i.operands if o in self.slopes)
        factor = self.bits.factor(i)
        return source, slope if factor == 1 else b.fmul(slope, float_constant(float(factor), type_))

    def _drop_unused(self) -> None:
        """Erases the integers that only use each other: they would be taken for bits of numbers.

        Calls stay, unless they have been copied: they may do more than compute the integer.
        """
        mine = self.bits.held
        values: list[Value] = [i for i in self.bits.order if self._has_effect(i) or any(u not in mine for u in i.users)]
        found: set[Value] = set(reachable(values, self._held_operands))
        dead = [i for i in self.bits.order if i not in found]
        for i in dead:
            i.drop_operands()
        for i in dead:
            i.erase()

    def _has_effect(self, i: Instruction) -> bool:
        return i.opcode == "call" and i not in self.copies and not i.callee_name.startswith("@llvm.")


def _unit(b: Builder, bits: Value, number: FloatType, type_: Type) -> Value:
    """The power of two below a number with these bits, with its sign; for subnormals, the smallest normal number."""
    fraction, sign = FRACTION[number], 1 << (number.bits - 1)

    def constant(value: int) -> Value:
        return int_constant(value, bits.type)

    power = b.int_op("and", bits, constant((sign - 1) & ~((1 << fraction) - 1)))
    least = constant(1 << fraction)
    power = b.select(b.icmp("ult", power, least), least, power)
    return b.cast("bitcast", b.int_op("or", power, b.int_op("and", bits, constant(sign))), type_)


def _is_part(value: Value) -> bool:
    """True if the integer is a part of a number's bits, without any arithmetic."""
    value = stripped(value, PART)
    return isinstance(value, Instruction) and takes_bits(value)


def _is_below_normal(b: Builder, x: Value) -> Value:
    number = float_like(x.type)
    assert number is not None
    least = 2.0 ** (2 - (1 << (number.bits - FRACTION[number] - 2)))
    below = b.fcmp("olt", x, float_constant(least, x.type))
    return b.int_op("and", below, b.fcmp("ogt", x, float_constant(-least, x.type)))


def _chosen(b: Builder, i: Instruction) -> tuple[Value, Value, Value] | None:
    """(condition, value if true, value if false) of an instruction that chooses one of two operands; else None."""
    if i.opcode == "select":
        return i.operands[0], i.operands[1], i.operands[2]
    order = choice(i)
    if order is None:
        return None
    first, second = i.arguments
    return b.icmp(order, second, first), second, first
