"""Floating-point formats that truncated code computes in, and how a request names one."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.builder import Builder
from ...ir.constants import ConstantInt
from ...ir.module import Module
from ...ir.types import DOUBLE, FLOAT, I32, FloatType
from ...ir.values import Value
from ...rules.runtime_functions import ROUND_TO
from .reading import VariantOperands

#: total bits → type, and its bits of exponent and explicit bits of mantissa
_TYPES = {16: (FloatType("half"), 5, 10), 32: (FLOAT, 8, 23), 64: (DOUBLE, 11, 52), 80: (FloatType("x86_fp80"), 15, 63)}
#: a format of this many explicit bits of mantissa at most is computed exactly rounded from double (runtime/formats.c)
_MOST_BITS = 50


@dataclass(frozen=True)
class Truncation:
    """Numbers of type `source` are computed in a narrower format.

    `native` is the type of the format if the processor computes in it. Otherwise numbers are rounded by the runtime.
    """

    source: FloatType
    exponent: int
    mantissa: int
    native: FloatType | None

    @property
    def name(self) -> str:
        return f"{self.source}_to_{self.native or f'{self.exponent}_{self.mantissa}'}"

    def round(self, module: Module, b: Builder, number: Value) -> Value:
        """Emits a number of type `source`, rounded to the format, in type `source`."""
        if self.native is not None:
            return b.resize_float(b.resize_float(number, self.native), self.source)
        return b.resize_float(self.round_double(module, b, b.resize_float(number, DOUBLE)), self.source)

    def round_double(self, module: Module, b: Builder, number: Value) -> Value:
        """Emits a double, rounded to the format."""
        ROUND_TO.declare(module)
        sizes = [ConstantInt(I32, self.exponent), ConstantInt(I32, self.mantissa)]
        return ROUND_TO.call(b, number, *sizes)


def read_truncation(operands: VariantOperands) -> Truncation:
    """Reads `from, to` in bits, or `from, bits of exponent, bits of mantissa`. Raises EnzymeError (EZ0203)."""
    given = [_constant(operands)]
    while operands.left:
        given.append(_constant(operands))
    source, *to = given
    if source not in _TYPES or len(to) not in (1, 2) or (len(to) == 1 and to[0] not in _TYPES):
        raise _error(operands, given, "types have 16, 32, 64 or 80 bits; formats have bits of exponent and mantissa")
    type_, most_exponent, most_mantissa = _TYPES[source]
    native: FloatType | None = None
    if len(to) == 1:
        native, exponent, mantissa = _TYPES[to[0]]
    else:
        exponent, mantissa = to
    if exponent > most_exponent or mantissa > most_mantissa:
        raise _error(operands, given, "the format is wider than the type")
    if native not in (FLOAT, DOUBLE):
        native = None
    if native is None and not (2 <= exponent <= 11 and 1 <= mantissa <= _MOST_BITS):
        raise _error(operands, given, f"the runtime has 2 to 11 bits of exponent, and 1 to {_MOST_BITS} of mantissa")
    return Truncation(type_, exponent, mantissa, native)


def _constant(operands: VariantOperands) -> int:
    value = operands.value("a number of bits")
    if not isinstance(value, ConstantInt):
        reason = "after optimisation it is still not a constant"
        raise operands.found.error(operands.module, "EZ0203", f"a number of bits for {operands.found.asked}", reason)
    return value.value


def _error(operands: VariantOperands, given: list[int], reason: str) -> Exception:
    numbers = ", ".join(map(str, given))
    message = f"{operands.found.asked} has no format for {numbers}"
    remedy = "give from and to in bits (64, 32), or from, bits of exponent and bits of mantissa (64, 8, 7 for bfloat)"
    return operands.found.error(operands.module, "EZ0203", message, reason, remedy)
