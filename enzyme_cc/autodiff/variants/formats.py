"""Floating-point formats that truncated code computes in, and how a request names one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...ir.builder import Builder
from ...ir.constants import ConstantInt
from ...ir.module import Module
from ...ir.types import DOUBLE, FLOAT, I32, FloatType
from ...ir.values import Value
from ...report.diagnostics import EnzymeError
from ...rules.runtime_functions import ROUND_TO, RuntimeFunction
from .reading import VariantOperands

#: total bits → type, and its bits of exponent and explicit bits of mantissa
_TYPES = {16: (FloatType("half"), 5, 10), 32: (FLOAT, 8, 23), 64: (DOUBLE, 11, 52), 80: (FloatType("x86_fp80"), 15, 63)}
#: the runtime computes formats of this many explicit bits of mantissa at most, those of double (runtime/formats.c)
_MOST_BITS = 52


class Truncation(Struct, frozen=True):
    """Numbers of type `source` are computed in a narrower format.

    `native_type` is that of the format if the processor computes in it. Otherwise numbers are rounded by the runtime.
    """

    source: FloatType
    exponent: int
    mantissa: int
    native_type: FloatType | None

    @property
    def name(self) -> str:
        return f"{self.source}_to_{self.native_type or f'{self.exponent}_{self.mantissa}'}"

    def round(self, module: Module, b: Builder, number: Value) -> Value:
        """Emits a number of type `source`, rounded to the format, in type `source`."""
        if self.native_type is not None:
            return b.resize_float(b.resize_float(number, self.native_type), self.source)
        return b.resize_float(self.round_double(module, b, b.resize_float(number, DOUBLE)), self.source)

    def round_double(self, module: Module, b: Builder, number: Value) -> Value:
        """Emits a double, rounded to the format."""
        return self.call(module, b, ROUND_TO, [number])

    def call(self, module: Module, b: Builder, function: RuntimeFunction, numbers: Sequence[Value]) -> Value:
        """Emits the call of a function of the runtime that computes doubles in the format."""
        function.declare(module)
        return function.call(b, *numbers, ConstantInt(I32, self.exponent), ConstantInt(I32, self.mantissa))


def read_truncation(operands: VariantOperands) -> Truncation:
    """Reads `from, to` in bits, or `from, bits of exponent, bits of mantissa`. Raises EnzymeError (EZ0203)."""
    given = [_constant(operands)]
    while operands.left:
        given.append(_constant(operands))
    truncation = _truncation(given[0], given[1:])
    if isinstance(truncation, Truncation):
        return truncation
    message = f"{operands.found.asked} has no format for {', '.join(map(str, given))}"
    remedy = "give from and to in bits (64, 32), or from, bits of exponent and bits of mantissa (64, 8, 7 for bfloat)"
    raise operands.found.error(operands.module, "EZ0203", message, truncation, remedy)


def named_truncation(text: str) -> Truncation:
    """Reads `64to32`, `64to8-23` or `11-52to8-23`, the value of --enzyme-truncate. Raises EnzymeError (EZ0111)."""
    source, _, to = text.partition("to")
    sizes = {f"{exponent}-{mantissa}": str(bits) for bits, (_, exponent, mantissa) in _TYPES.items()}
    words = [sizes.get(source, source), *to.split("-")]
    reason = "it is no type, `to`, and a type or a format"
    if all(word.isdecimal() for word in words):
        first, *rest = map(int, words)
        truncation = _truncation(first, rest)
        if isinstance(truncation, Truncation):
            return truncation
        reason = truncation
    remedy = "for example --enzyme-truncate=64to32, or --enzyme-truncate=64to8-7 with bits of exponent and of mantissa"
    raise EnzymeError.of("EZ0111", f"--enzyme-truncate={text} names no format", reason=reason, remedy=remedy)


def _truncation(source: int, to: list[int]) -> Truncation | str:
    """Returns the truncation from a type to a type or a format, or why there is none."""
    if source not in _TYPES or len(to) not in (1, 2) or (len(to) == 1 and to[0] not in _TYPES):
        return "types have 16, 32, 64 or 80 bits; formats have bits of exponent and mantissa"
    type_, most_exponent, most_mantissa = _TYPES[source]
    native: FloatType | None = None
    if len(to) == 1:
        native, exponent, mantissa = _TYPES[to[0]]
    else:
        exponent, mantissa = to
    if exponent > most_exponent or mantissa > most_mantissa:
        return "the format is wider than the type"
    if native not in (FLOAT, DOUBLE):
        native = None
    if native is None and not (2 <= exponent <= 11 and 1 <= mantissa <= _MOST_BITS):
        return f"the runtime has 2 to 11 bits of exponent, and 1 to {_MOST_BITS} of mantissa"
    return Truncation(type_, exponent, mantissa, native)


def _constant(operands: VariantOperands) -> int:
    value = operands.value("a number of bits")
    if not isinstance(value, ConstantInt):
        reason = "after optimisation it is still not a constant"
        raise operands.found.error(operands.module, "EZ0203", f"a number of bits for {operands.found.asked}", reason)
    return value.value
