"""The numbers in constants of floating-point types."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from .constants import Constant, ConstantAggregate, ConstantFloat, ConstantSplat
from .types import DOUBLE, FLOAT

_DIGITS = 63  # of the fraction of x86_fp80
_BIAS = 16383 + _DIGITS  # of its exponent, where the fraction is an integer


def numbers(constant: Constant) -> Iterator[float | None]:
    """Yields the numbers in a constant; None for an element that is no known number, or far out of double's range."""
    if isinstance(constant, ConstantSplat):
        yield from numbers(constant.element)
    elif isinstance(constant, ConstantAggregate):
        for element in constant.elements:
            yield from numbers(element)
    else:
        yield _number(constant)


def _number(constant: Constant) -> float | None:
    if not isinstance(constant, ConstantFloat):
        return None
    text = constant.text
    if text.startswith("0xK"):
        sign, exponent, fraction = text[3] in "89ABCDEF", int(text[3:7], 16) & 0x7FFF, int(text[7:], 16)
        if abs(exponent - _BIAS) > _DIGITS:
            return None
        return (-fraction if sign else fraction) * 2.0 ** (exponent - _BIAS)
    if constant.type not in (DOUBLE, FLOAT):
        return None
    return float(struct.unpack(">d", int(text, 16).to_bytes(8, "big"))[0]) if text.startswith("0x") else float(text)
