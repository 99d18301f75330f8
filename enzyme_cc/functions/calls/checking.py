"""Compares derivatives with differences: `f.check(*inputs)`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ..interface import Parameter
from ..prototype import Element, NumberType, RecordType
from .jacobians import converted_inputs
from .products import CompiledFunction


class Comparison(Struct, frozen=True):
    """One direction: the slope along it by central differences, by forward mode and by reverse mode.

    `tolerance` is the largest difference that the error of the differences explains.
    """

    differences: float
    forward: float
    reverse: float
    tolerance: float

    @property
    def error(self) -> float:
        """The largest difference of two of the three; not a number if one is not."""
        values = (self.differences, self.forward, self.reverse)
        return math.nan if any(map(math.isnan, values)) else max(values) - min(values)

    @property
    def agrees(self) -> bool:
        """True if the three are equal within the tolerance; false if one is not a number."""
        return self.error <= self.tolerance


class CheckReport(Struct, frozen=True):
    """The comparisons in all directions. True as a condition if all agree; as text, a table."""

    name: str
    comparisons: tuple[Comparison, ...]

    def __bool__(self) -> bool:
        return all(comparison.agrees for comparison in self.comparisons)

    def __str__(self) -> str:
        rows = [f"{'differences':>16} {'forward mode':>16} {'reverse mode':>16} {'error':>9} {'tolerance':>9}"]
        for c in self.comparisons:
            mark = "" if c.agrees else "  differs"
            rows.append(
                f"{c.differences:16.9g} {c.forward:16.9g} {c.reverse:16.9g} {c.error:9.1e} {c.tolerance:9.1e}{mark}"
            )
        return "\n".join([f"{self.name}: derivatives in {len(self.comparisons)} random directions", *rows])

    __repr__ = __str__


def check(f: CompiledFunction, given: Sequence[Any], directions: int, seed: int) -> CheckReport:
    """Compares, in random directions, the slope of a random combination of the outputs.

    The differences are central, extrapolated once (Richardson 1911). What the extrapolation changes, and the rounding
    of the values, give the tolerance.
    """
    import numpy

    generator = numpy.random.default_rng(seed)
    inputs, _ = converted_inputs(f, given)
    return CheckReport(f.__name__, tuple(_compare(f, inputs, generator) for _ in range(directions)))


def _compare(f: CompiledFunction, inputs: tuple[Any, ...], generator: Any) -> Comparison:
    owners, callers = f.interface.active_inputs, f.interface.call_parameters
    places = [callers.index(p) for p in owners]
    vectors = [_random(p, inputs[i], generator) for p, i in zip(owners, places, strict=True)]
    values, tangents = f.jvp(inputs, tuple(vectors))
    weights = [_random(p, v, generator) for p, v in zip(f.interface.active_outputs, _active(f, values), strict=True)]
    gradients = f.vjp(*inputs)(*weights)
    forward = _products(f.interface.active_outputs, weights, _several(tangents))
    reverse = _products(owners, vectors, _several(gradients))

    def value(step: float) -> float:
        moved = list(inputs)
        for p, i, vector in zip(owners, places, vectors, strict=True):
            moved[i] = _moved(p, inputs[i], vector, step)
        return _products(f.interface.active_outputs, weights, _active(f, f(*moved)))

    differences, tolerance = _slope(value, min(_epsilon(p.element) for p in (*owners, *f.interface.active_outputs)))
    return Comparison(differences, forward, reverse, tolerance + 1e-9 * max(abs(forward), abs(differences)))


def _slope(value: Any, precision: float) -> tuple[float, float]:
    """Returns a slope at zero, and how far it may be off."""
    step = precision**0.2
    at = {h: (value(h), value(-h)) for h in (step, step / 2)}
    coarse, fine = ((high - low) / (2 * h) for h, (high, low) in at.items())
    extrapolated = fine + (fine - coarse) / 3
    rounding = 64 * precision * max(abs(v) for pair in at.values() for v in pair) / step
    return extrapolated, abs(fine - coarse) + rounding


def _several(values: Any) -> Sequence[Any]:
    return values if isinstance(values, tuple) else (values,)


def _active(f: CompiledFunction, values: Any) -> list[Any]:
    outputs = zip(f.interface.outputs, _several(values), strict=True)
    return [value for p, value in outputs if p.is_active]


def _epsilon(element: Element) -> float:
    return max(1.2e-7 if n.size == (4 if n.kind == "f" else 8) else 2.2e-16 for n in _active_numbers(element))


def _active_numbers(element: Element) -> Iterator[NumberType]:
    if isinstance(element, RecordType):
        for field in element.fields:
            yield from _active_numbers(field.element)
    elif element.is_active:
        yield element


def _parts(element: Element, array: Any) -> Iterator[Any]:
    """Yields views of the numbers with derivatives in an array."""
    if isinstance(element, RecordType):
        for field in element.fields:
            yield from _parts(field.element, array[field.name])
    elif element.is_active:
        yield array


def _random(p: Parameter, like: Any, generator: Any) -> Any:
    import numpy

    result = numpy.zeros_like(numpy.asarray(like, p.element.numpy_dtype()))
    for part in _parts(p.element, result):
        part[...] = generator.uniform(-1, 1, part.shape)
        if part.dtype.kind == "c":
            part += 1j * generator.uniform(-1, 1, part.shape)
    return result


def _moved(p: Parameter, value: Any, vector: Any, step: float) -> Any:
    import numpy

    result = numpy.array(value, p.element.numpy_dtype())
    for part, direction in zip(_parts(p.element, result), _parts(p.element, vector), strict=True):
        part[...] += part.dtype.type(step) * direction
    return result


def _products(owners: Sequence[Parameter], left: Sequence[Any], right: Sequence[Any]) -> float:
    """Returns the sum of products of real numbers; complex ones are pairs."""
    import numpy

    total = 0.0
    for p, a, b in zip(owners, left, right, strict=True):
        for x, y in zip(_parts(p.element, numpy.asarray(a)), _parts(p.element, numpy.asarray(b)), strict=True):
            wide = numpy.complex128 if x.dtype.kind == "c" else numpy.float64
            total += float(numpy.real(numpy.sum(numpy.conj(x.astype(wide)) * numpy.asarray(y).astype(wide))))
    return total
