"""Calls functions of libraries that take or return opaque handles (HANDLE in <enzyme/derivative.h>).

Such a function returns a pointer or a handle. Called with the shadows of its pointers, it returns the shadow of that.
Its first argument is 0 if it is called for the memory, and 1 if it is called for shadows. Constant memory is its own
shadow. A constant handle may lead to memory with a shadow. So if all pointers are their own shadows, the first argument
is 2 and the direction, and the function may ask for the shadows of what the request knows by a name
(toolchain/runtime/named_memory.c). In a derivative of a derivative, these names mean other shadows: in a later round,
there must be one request under way, which the function checks. A shadow that is null stands for a constant handle.

What has no name either is its own shadow, if the runtime keeps the shadows of numbers there (lent_shadows.py).
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.activity.activity import ResultActivity
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I64, PTR
from ...ir.values import Value
from ..core.calling_convention import Parameters, Results
from ..core.round import Round
from ..core.signature import Form, Signature

#: what a later round adds to the first argument
_LATER = 1 << 32
#: what is added if the runtime keeps the shadows of numbers in memory without a shadow
_KEEPS = 1 << 33


def _called(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> tuple[Value, list[Value]]:
    """Returns the result for the memory and that for the shadows of each direction."""
    round.foreign_code.compares_names = True
    directions = range(signature.directions)
    primal = b.call(signature.function, PTR, list(given.arguments))
    return primal, [
        b.call(signature.function, PTR, _of_shadows(round, b, given, direction)) for direction in directions
    ]


def _of_shadows(round: Round, b: Builder, given: Parameters[Value], direction: int) -> list[Value]:
    pointers = [k for k in given.shadows if given.arguments[k].type == PTR]  # a handle may be a pointer as an integer
    shadows = {k: _unless_null(b, given.shadows[k][direction], given.arguments[k]) for k in pointers}
    is_constant: Value = int_constant(1, I1)
    for k, shadow in shadows.items():
        is_constant = b.int_op("and", is_constant, b.icmp("eq", given.arguments[k], shadow))
    by_name = (
        2 + direction + (_LATER if round.options.round_number else 0) + (_KEEPS if round.foreign.records_numbers else 0)
    )
    first = b.select(is_constant, int_constant(by_name, I64), int_constant(1, I64))
    return [first, *(shadows.get(k, value) for k, value in enumerate(given.arguments) if k > 0)]


def _unless_null(b: Builder, shadow: Value, memory: Value) -> Value:
    return b.select(b.icmp("eq", shadow, zero(PTR)), memory, shadow)


def _build_augmented(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    primal, shadows = _called(round, b, signature, given)
    return Results(zero(PTR), primal, shadows if signature.result.has_shadow else [])


def _build_reverse(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    return Results()


def _build_tangent(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> Results[Value]:
    primal, shadows = _called(round, b, signature, given)
    return Results(None, primal, shadows if signature.result is not ResultActivity.NONE else [])


#: the forms of a derivative that are made of calls of the function itself
BUILDERS: dict[Form, Callable[[Round, Builder, Signature, Parameters[Value]], Results[Value]]] = {
    Form.AUGMENTED: _build_augmented,
    Form.REVERSE: _build_reverse,
    Form.TANGENT: _build_tangent,
}
