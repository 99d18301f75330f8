"""Constants of numbers: how they are made, recognised, and folded by arithmetic with constant operands."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from .constants import Constant, ConstantAggregate, ConstantFloat, ConstantInt, ConstantSplat, ConstantWord, Value
from .types import DOUBLE, FLOAT, I64, PTR, FloatType, IntType, Type, VectorType


def int_constant(value: int, type_: Type = I64) -> Constant:
    """Returns a constant of an integer type or a vector of integers."""
    if isinstance(type_, VectorType):
        return ConstantSplat(type_, int_constant(value, type_.element))
    return ConstantInt(type_, value)


def float_constant(value: float, type_: Type = DOUBLE) -> Constant:
    """Returns a constant of a float type or a vector of floats; exact for double and float."""
    if isinstance(type_, VectorType):
        return ConstantSplat(type_, float_constant(value, type_.element))
    assert isinstance(type_, FloatType)
    return ConstantFloat(type_, _FLOAT_SPELLING[type_.kind](value))


def numbers_of_bits(bits: int, type_: VectorType) -> Constant | None:
    """Returns the vector of numbers with these bits, the first lane lowest.

    None if one of them is a NaN, and for numbers that are neither doubles nor floats, unless all are zero.
    """
    if not bits:
        return zero(type_)
    if type_.element not in (DOUBLE, FLOAT):
        return None
    code = "d" if type_.element == DOUBLE else "f"
    numbers = struct.unpack(f"<{type_.count}{code}", bits.to_bytes(type_.count * struct.calcsize(code), "little"))
    if any(number != number for number in numbers):
        return None
    return ConstantAggregate(type_, tuple(float_constant(number, type_.element) for number in numbers))


def _double_bits(value: float) -> int:
    return int.from_bytes(struct.pack(">d", value), "big")


def _spell_double(value: float) -> str:
    return f"0x{_double_bits(value):016X}"


def _spell_float(value: float) -> str:
    return f"0x{_double_bits(struct.unpack('>f', struct.pack('>f', value))[0]):016X}"


def _spell_half(value: float) -> str:
    return f"0xH{int.from_bytes(struct.pack('>e', value), 'big'):04X}"


def _spell_bfloat(value: float) -> str:
    bits = int.from_bytes(struct.pack(">f", value), "big")
    return f"0xR{(bits + 0x7FFF + ((bits >> 16) & 1)) >> 16:04X}"


def _split_double(value: float) -> tuple[int, int, int]:
    """Returns sign, unbiased exponent and the 52 bits of the fraction of a normal number."""
    bits = _double_bits(value)
    sign, exponent, fraction = bits >> 63, (bits >> 52) & 0x7FF, bits & ((1 << 52) - 1)
    return sign, exponent - 1023, fraction


def _spell_x86_fp80(value: float) -> str:
    if value == 0:
        return f"0xK{(_double_bits(value) >> 63) << 15:04X}{0:016X}"
    sign, exponent, fraction = _split_double(value)
    biased = 0x7FFF if exponent == 1024 else exponent + 16383
    return f"0xK{(sign << 15) | biased:04X}{(1 << 63) | (fraction << 11):016X}"


def _spell_fp128(value: float) -> str:
    if value == 0:
        return f"0xL{0:016X}{(_double_bits(value) >> 63) << 63:016X}"
    sign, exponent, fraction = _split_double(value)
    biased = 0x7FFF if exponent == 1024 else exponent + 16383
    bits = (sign << 127) | (biased << 112) | (fraction << 60)
    return f"0xL{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"  # low word first


_FLOAT_SPELLING = {
    "double": _spell_double,
    "float": _spell_float,
    "half": _spell_half,
    "bfloat": _spell_bfloat,
    "x86_fp80": _spell_x86_fp80,
    "fp128": _spell_fp128,
}


def zero(type_: Type) -> Constant:
    """Returns the all-zero constant of a first-class type."""
    if isinstance(type_, FloatType):
        return float_constant(0.0, type_)
    if isinstance(type_, IntType):
        return ConstantInt(type_, 0)
    return ConstantWord(type_, "null" if type_ == PTR else "zeroinitializer")


def is_zero(value: Value) -> bool:
    """True if the value is a constant, every part of which is positive zero."""
    match value:
        case ConstantInt(value=v):
            return v == 0
        case ConstantWord(word=w):
            return w in ("null", "zeroinitializer")
        case ConstantFloat():
            return value == float_constant(0.0, value.type) or value.text == "0.000000e+00"
        case ConstantSplat(element=e):
            return is_zero(e)
        case ConstantAggregate(elements=es):
            return all(map(is_zero, es))
    return False


def is_one(value: Value) -> bool:
    """True if the value is the floating-point constant one, or a splat of it."""
    match value:
        case ConstantFloat():
            return value == float_constant(1.0, value.type) or value.text == "1.000000e+00"
        case ConstantSplat(element=e):
            return is_one(e)
    return False


def wrap_int(value: int, type_: Type) -> ConstantInt:
    """Returns the constant of an integer type that is congruent to the value, in LLVM's signed spelling."""
    assert isinstance(type_, IntType)
    if type_.bits == 1:
        return ConstantInt(type_, value & 1)
    value &= (1 << type_.bits) - 1
    return ConstantInt(type_, value - (1 << type_.bits) if value >> (type_.bits - 1) else value)


_INTEGER_OPERATIONS = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}


def fold_int(opcode: str, a: Value, b: Value) -> Value | None:
    """Returns what two constants give under add, sub or mul, or the operand x of x+0, x-0 or x*1; None otherwise."""
    if isinstance(a, ConstantInt) and isinstance(b, ConstantInt) and opcode in _INTEGER_OPERATIONS:
        return wrap_int(_INTEGER_OPERATIONS[opcode](a.value, b.value), a.type)
    if opcode in ("add", "sub") and is_zero(b):
        return a
    if opcode == "add" and is_zero(a):
        return b
    if opcode == "mul" and isinstance(b, ConstantInt) and b.value == 1:
        return a
    if opcode == "mul" and isinstance(a, ConstantInt) and a.value == 1:
        return b
    return None


_COMPARISONS = {
    "eq": int.__eq__,
    "ne": int.__ne__,
    "lt": int.__lt__,
    "le": int.__le__,
    "gt": int.__gt__,
    "ge": int.__ge__,
}


def fold_icmp(predicate: str, a: Value, b: Value) -> bool | None:
    """Returns how two constants compare; None for other operands."""
    if not (isinstance(a, ConstantInt) and isinstance(b, ConstantInt) and isinstance(a.type, IntType)):
        return None
    mask = (1 << a.type.bits) - 1 if predicate.startswith("u") else -1
    return _COMPARISONS[predicate.removeprefix("u").removeprefix("s")](a.value & mask, b.value & mask)


def fold_float(opcode: str, operands: Sequence[Value]) -> Value | None:
    """Returns the operand that x+0, x-0, x*1 or x/1 is equal to if the sign of zero does not matter, or None."""
    if opcode == "fneg":
        return operands[0] if is_zero(operands[0]) else None
    a, b = operands
    if opcode in ("fadd", "fsub") and is_zero(b):
        return a
    if opcode == "fadd" and is_zero(a):
        return b
    if opcode in ("fmul", "fdiv") and is_one(b):
        return a
    if opcode == "fmul" and is_one(a):
        return b
    return None
