"""The rounding errors of operations, in units of half the distance of two numbers: u = 2^-p for p bits of mantissa.

An operation of IEEE 754 returns the exact result, rounded: an error of at most u |result| (IEEE 754-2019, 4.3). That
includes sqrt and fma. The functions of a mathematical library are not rounded correctly; the tables have one unit in
the last place for them, that is 2u |result|. Measured maxima for glibc's functions of double are near that: P.
Zimmermann and others, Accuracy of Mathematical Functions in Single, Double, Extended Double and Quadruple Precision.
"""

from __future__ import annotations

import re

from ...ir.instructions import BASIC_FLOAT_ARITHMETIC
from ...ir.types import FloatType, IntType, Type
from ...rules.rule import Rule

#: bits of the mantissa, with the implicit one
MANTISSA = {"half": 11, "bfloat": 8, "float": 24, "double": 53, "x86_fp80": 64, "fp128": 113}
#: instructions that round once; frem, fneg and fpext are exact
INSTRUCTIONS = BASIC_FLOAT_ARITHMETIC | {"fptrunc"}
_ROUNDED = INSTRUCTIONS | frozenset("fma sqrt fdim sitofp uitofp".split())
_CONSTRAINED = "experimental.constrained."
#: clang calls this where the product that it computes itself has parts that are not numbers
_COMPLEX_PRODUCT = re.compile("__mul.c3")
_EXACT = frozenset(
    """
    fabs copysign fmax fmin fmaximum fminimum fmaximum_num fminimum_num minnum maxnum minimumnum maximumnum minimum
    maximum fmod remainder drem remquo ldexp scalbn scalbln frexp significand nextafter nexttoward nextup nextdown modf
    canonicalize fpext frem arithmetic.fence ssa.copy vector.reduce.fmin vector.reduce.fmax vector.reduce.fminimum
    vector.reduce.fmaximum
    """.split()
)


def units_of(rule: Rule) -> int | None:
    """Returns the error of a function in units of u |result|; None if there is no bound of that form.

    There is none for functions of complex numbers, whose parts may cancel, and for sums of lanes.
    """
    name = rule.name.removeprefix(_CONSTRAINED)
    if name in _ROUNDED:
        return 1
    if name in _EXACT or rule.is_constant:
        return 0
    if rule.kind in ("reduce", "complex") or name.startswith("x86."):
        return 2 if _COMPLEX_PRODUCT.fullmatch(name) else None
    return 2


def rounds_integers(integer: Type, to: Type) -> bool:
    """True if not every integer of the type is a number of the floating-point type."""
    assert isinstance(integer, IntType) and isinstance(to, FloatType)
    return integer.bits > MANTISSA[to.kind]


__all__ = ["INSTRUCTIONS", "MANTISSA", "rounds_integers", "units_of"]
