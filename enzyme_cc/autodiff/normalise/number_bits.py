"""Numbers made of the bits of other numbers by integer arithmetic, as the functions of these that they are.

Math libraries scale a number by adding to its exponent, split it by masking its fraction, guess a root by dividing its
bits. Integers have no derivatives, so these numbers would be constants, or refused. Here, by the slopes that
analysis/bits.py finds, the derivative of y = number(f(bits(x))) is f' ulp(y)/ulp(x), with the signs of both.

What is left alone, because there is no answer or not one for all, is refused later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ...analysis.integers.bits import (
    COMPUTING,
    CONSTANT,
    FRACTION,
    NOTHING,
    HeldBits,
    Part,
    choice,
    float_like,
    made_into_numbers,
    makes_number,
    takes_bits,
    takes_value,
)
from ...analysis.type_analysis.analysis import Kind, TypeAnalysis
from ...analysis.type_analysis.declared.tbaa import Tbaa
from ...ir.builder import Builder, float_constant, insert_before, int_constant, put_in_place, with_same_shape, zero
from ...ir.types import (
    DOUBLE,
    FLOAT,
    FloatType,
    IntType,
    Type,
    store_size,
)
from ...ir.values import (
    Block,
    Function,
    Instruction,
    Value,
)
from ..core.own_functions import SLOPED, call_own
from .vector_lanes import loaded_as

_TYPES: dict[tuple[Kind | None, int], Type] = {(Kind.DOUBLE, 64): DOUBLE, (Kind.FLOAT, 32): FLOAT}

Pair = tuple[Value, Value]


def follow_bits(tbaa: Tbaa, function: Function) -> None:
    """Rewrites the function in place."""
    if not _load_numbers(function, partial(_declared_kind, tbaa)):
        _rewrite(function)


def _rewrite(function: Function) -> None:
    made = [i for i in function.instructions() if makes_number(i)]
    if made:
        _Rewriting(HeldBits(function)).run(made)


def follow_loaded_bits(functions: Iterable[Function], types: TypeAnalysis) -> bool:
    """As follow_bits, where only the types of memory say what is loaded; whether there was anything to do."""
    return sum(_load_numbers(function, partial(_kind_in_memory, types)) for function in functions) > 0


def _load_numbers(function: Function, kind_of: Callable[[Instruction], Kind | None]) -> bool:
    """Loads numbers as such that LLVM loads as integers to compute with; whether there are any."""
    found = False
    for i in list(made_into_numbers(function)):
        if i.opcode != "load" or not isinstance(i.type, IntType) or {"atomic", "volatile"} & set(i.flags):
            continue
        type_ = _TYPES.get((kind_of(i), i.type.bits)) if any(u.opcode in COMPUTING for u in i.users) else None
        if type_ is not None:
            put_in_place(i, partial(loaded_as, type_))
            found = True
    if found:
        _rewrite(function)
    return found


def _declared_kind(tbaa: Tbaa, i: Instruction) -> Kind | None:
    tag = tbaa.scalar_access(i, store_size(i.type))
    return tag.kind if tag is not None and tag.size == store_size(i.type) else None


def _kind_in_memory(types: TypeAnalysis, i: Instruction) -> Kind | None:
    layout = types.layout(i.operands[0], store_size(i.type))
    return layout.segments[0].kind if layout is not None and len(layout.segments) == 1 else None


class _Rewriting:
    """The numbers that one function makes of integers, made of copies of these, which count as constants."""

    def __init__(self, bits: HeldBits) -> None:
        self.bits = bits
        self.copies: dict[Value, Instruction] = {}
        self.slopes: dict[Value, Pair] = {}

    def run(self, made: list[Instruction]) -> None:
        made = [i for i in made if self._is_decided(i)]
        needed: set[Value] = {i.operands[0] for i in made}
        work = list(needed)
        while work:
            value = work.pop()
            operands = value.operands if isinstance(value, Instruction) else []
            further = {o for o in operands if o in self.bits.held and o not in needed}
            needed |= further
            work += further
        order = [i for i in self.bits.order if i in needed]
        self._copy(order)
        self._find_slopes([i for i in order if isinstance(self.bits.held[i], Part)])
        for i in made:
            put_in_place(i, self._number)
        self._drop_unused()

    def _is_decided(self, made: Instruction) -> bool:
        """Whether the derivative of that number is known here, and would not be otherwise."""
        bits, number = made.operands[0], float_like(made.type)
        held = self.bits.held.get(bits)
        assert number is not None
        if made.opcode != "bitcast":
            is_bits = isinstance(held, Part) and held.always and not held.of_value
            return isinstance(held, Part) and is_bits and held.is_smooth(held.number)
        if not isinstance(held, Part):
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
        if i.opcode == "bitcast":
            slope = b.fmul(slope, _unit(b, copy, held.number, i.type))
        else:
            slope = b.fmul(slope, float_constant(2.0 ** FRACTION[held.number], slope.type))
        return call_own(b, SLOPED, value, b.resize_float(source, i.type), b.resize_float(slope, i.type))

    def _copy(self, order: list[Instruction]) -> None:
        """The integers again, of numbers that count as constants."""
        roots = {i for i in order if takes_bits(i) or takes_value(i)}
        for i in order:
            b = Builder(Block())
            operands = [call_own(b, CONSTANT, i.operands[0])] if i in roots else []
            self.copies[i] = b.emit(i.opcode, i.type, operands, i.extra, i.flags)
            insert_before(i, b)
        for i in order:
            copy = self.copies[i]
            for operand in i.operands if i not in roots else ():
                copy.append_operand(self.copies.get(operand, operand))

    def _find_slopes(self, order: list[Instruction]) -> None:
        """The number that each integer depends on, and the derivative by it: of the integer as a fraction of one."""
        for i in order:
            b = Builder(Block())
            if i.opcode == "phi":
                self.slopes[i] = b.phi(self._type(i)), b.phi(self._type(i))
            else:
                self.slopes[i] = self._slope(b, i)
            insert_before(i, b)
        for phi in order:
            for value, block in phi.incoming if phi.opcode == "phi" else ():
                for own, part in zip(self.slopes[phi], self._pair(value, phi), strict=True):
                    assert isinstance(own, Instruction)
                    own.append_operand(part)
                    own.append_operand(block)

    def _type(self, i: Instruction) -> Type:
        held = self.bits.held[i]
        assert isinstance(held, Part)
        return with_same_shape(held.number, i.type)

    def _pair(self, value: Value, like: Instruction) -> Pair:
        """What has no slope depends on no number."""
        type_ = self._type(like)
        return self.slopes.get(value) or (float_constant(1.0, type_), zero(type_))

    def _slope(self, b: Builder, i: Instruction) -> Pair:
        type_, held = self._type(i), self.bits.held[i]
        assert isinstance(held, Part)
        if takes_bits(i):
            unit = _unit(b, self.copies[i], held.number, type_)
            return i.operands[0], b.fdiv(float_constant(1.0, type_), unit)
        if i.opcode in ("fptosi", "fptoui"):
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
        """What nothing uses any more but each other: it would count as bits of numbers."""
        mine = self.bits.held
        used: list[Instruction] = [i for i in self.bits.order if any(user not in mine for user in i.users)]
        found: set[Value] = set(used)
        while used:
            operands = [o for o in used.pop().operands if o in mine and o not in found]
            found.update(operands)
            used += [o for o in operands if isinstance(o, Instruction)]
        dead = [i for i in self.bits.order if i not in found]
        for i in dead:
            i.drop_operands()
        for i in dead:
            i.erase()


def _unit(b: Builder, bits: Value, number: FloatType, type_: Type) -> Value:
    """The power of two below a number of these bits, with its sign; of subnormal ones, that of the smallest normal."""
    fraction, sign = FRACTION[number], 1 << (number.bits - 1)

    def constant(value: int) -> Value:
        return int_constant(value, bits.type)

    power = b.int_op("and", bits, constant((sign - 1) & ~((1 << fraction) - 1)))
    least = constant(1 << fraction)
    power = b.select(b.icmp("ult", power, least), least, power)
    return b.cast("bitcast", b.int_op("or", power, b.int_op("and", bits, constant(sign))), type_)


def _chosen(b: Builder, i: Instruction) -> tuple[Value, Value, Value] | None:
    """Of an instruction that gives one of two: a condition, what it gives then, and what else."""
    if i.opcode == "select":
        return i.operands[0], i.operands[1], i.operands[2]
    order = choice(i)
    if order is None:
        return None
    first, second = i.arguments
    return b.icmp(order, second, first), second, first
