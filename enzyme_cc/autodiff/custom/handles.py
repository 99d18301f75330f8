"""Calls functions of libraries that take or return opaque handles (HANDLE in <enzyme/derivative.h>).

Such a function returns a pointer or a handle. Called with the shadows of its pointers, it returns the shadow of that.
Its first argument is 1 if it is called for shadows. Constant memory is its own shadow.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.activity.activity import ResultActivity
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR
from ...ir.values import Value
from ..core.calling_convention import Parameters, Results
from ..core.round import Round
from ..core.signature import Form, Signature


def _called(b: Builder, signature: Signature, given: Parameters[Value]) -> tuple[Value, list[Value]]:
    """Returns the result for the memory and that for the shadows of each direction."""
    directions = range(signature.directions)
    primal = b.call(signature.function, PTR, list(given.arguments))
    return primal, [b.call(signature.function, PTR, _of_shadows(given, direction)) for direction in directions]


def _of_shadows(given: Parameters[Value], direction: int) -> list[Value]:
    pairs = list(enumerate(given.arguments))[1:]
    return [int_constant(1, I64), *(given.shadows[k][direction] if k in given.shadows else v for k, v in pairs)]


def _build_augmented(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    primal, shadows = _called(b, signature, given)
    return Results(zero(PTR), primal, shadows if signature.result.has_shadow else [])


def _build_reverse(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    return Results()


def _build_tangent(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    primal, shadows = _called(b, signature, given)
    return Results(None, primal, shadows if signature.result is not ResultActivity.NONE else [])


#: the forms of a derivative that are made of calls of the function itself
BUILDERS: dict[Form, Callable[[Round, Builder, Signature, Parameters[Value]], Results[Value]]] = {
    Form.AUGMENTED: _build_augmented,
    Form.REVERSE: _build_reverse,
    Form.TANGENT: _build_tangent,
}
