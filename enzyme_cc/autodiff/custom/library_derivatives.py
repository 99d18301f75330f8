"""Calls derivatives of library functions (<enzyme/derivative.h>), in all forms and directions.

Each of the three functions of such a derivative takes the arguments of the function. A pointer is followed by its
shadow, which is null if the memory is constant. Then comes a mask of the arguments whose memory nobody but the function
itself writes until the derivative ends. The reverse and the forward function also take the tape, which the augmented
function allocates by malloc; null is a tape, too. For memory without a shadow, the runtime may lend one
(lent_shadows.py): then the tape is the last member of what was decided about that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from ...analysis.callees import ROUTINE, plain_name
from ...ir.builder import Builder
from ...ir.constants import Constant
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I64, PTR, VOID, ArrayType, FunctionType, is_pointer
from ...ir.values import Value
from ...rules import runtime_functions as runtime
from ..analyses.routines import written_parameters
from ..core.calling_convention import Parameters, Results
from ..core.pointers import POINTER_BYTES
from ..core.registrations import LibraryDerivative
from ..core.round import Round
from ..core.signature import Form, Signature
from ..globals.foreign_refusals import refuse_routine
from . import lent_shadows

_FREE = "@free"
_ALL = -1  # forward mode runs at once: nobody else writes


def _arguments(
    round: Round,
    b: Builder,
    signature: Signature,
    given: Parameters[Value],
    direction: int,
    lent: Callable[[int], Value] | None = None,
) -> list[Value]:
    """Returns each argument, and behind a pointer its shadow or null. `lent` gives what is lent for constant memory."""
    found: list[Value] = []
    for k, argument in enumerate(given.arguments):
        found.append(argument)
        if is_pointer(argument.type):
            shadow = given.shadows[k][direction] if k in given.shadows else zero(PTR)
            is_sure = k not in given.shadows or k in signature.sure_shadows or not round.options.runtime_activity
            instead = zero(PTR) if lent is None or is_sure else lent(k)
            found.append(shadow if is_sure else _unless_constant(b, argument, shadow, instead))
    return found


def _unless_constant(b: Builder, memory: Value, shadow: Value, instead: Value) -> Value:
    """Returns something else for unshadowed memory: only the run tells that it is constant."""
    return b.select(b.icmp("eq", memory, shadow), instead, shadow)


def _refuse_lost(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> None:
    """Emits a refusal of memory without a shadow that holds or gets numbers with derivatives."""
    unsure = lent_shadows.unsure_arguments(round, b, signature, given)
    if unsure is None:
        return
    written = written_parameters(round, signature.function)
    for k, is_constant in unsure.same.items():
        is_lost = unsure.is_active if k in written else int_constant(0, I1)
        refuse_routine(round, b, _plain(signature), is_constant, given.arguments[k], is_lost)


def _plain(signature: Signature) -> str:
    return plain_name(signature.function).removeprefix(ROUTINE)


def _mask(signature: Signature) -> Constant:
    return int_constant(sum(1 << k for k in signature.preserved if k >= 0), I64)


def _augmented(
    round: Round,
    b: Builder,
    of: LibraryDerivative,
    signature: Signature,
    given: Parameters[Value],
    mask: Value,
    rows: Value | None,
) -> Value:
    """Calls the function once, for all directions: it only asks which shadows are null.

    `rows`: memory in which it is decided what is lent; None if nothing can be.
    """
    lent = None
    if rows is None:
        _refuse_lost(round, b, signature, given)
    else:
        lent_shadows.decide(round, b, signature, given, rows)
        lent = partial(lent_shadows.lent_memory, b, rows, given)
    return b.call(of.augmented, PTR, [*_arguments(round, b, signature, given, 0, lent), mask])


def _derived(
    round: Round,
    b: Builder,
    function: str,
    signature: Signature,
    given: Parameters[Value],
    mask: Value,
    tape: Value,
    rows: Value | None,
) -> None:
    """Calls the adjoint or the tangent in each direction."""
    lent = None if rows is None else partial(lent_shadows.lent_shadow, b, rows, given)
    for direction in range(signature.directions):
        with nullcontext() if rows is None else lent_shadows.lent(b, rows, given, direction):
            b.call(function, VOID, [*_arguments(round, b, signature, given, direction, lent), mask, tape])


def _build_augmented(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value]
) -> Results[Value]:
    assert given.arena is not None
    rows = None
    if lent_shadows.may_lend(round, signature, given):
        rows = runtime.ALLOCATE.call(b, given.arena, int_constant(lent_shadows.rows_size(given) + POINTER_BYTES))
    tape = _augmented(round, b, of, signature, given, _mask(signature), rows)
    runtime.DEFER_FREE.call(b, given.arena, tape, round.output.declare(_FREE, FunctionType(VOID, (PTR,))).ref)
    if rows is None:
        return Results(tape)
    b.store(tape, b.offset(rows, lent_shadows.rows_size(given)), POINTER_BYTES)
    return Results(rows)


def _build_reverse(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value]
) -> Results[Value]:
    tape, rows = given.tape, None
    assert tape is not None
    if lent_shadows.may_lend(round, signature, given):
        rows, tape = tape, b.load(PTR, b.offset(tape, lent_shadows.rows_size(given)), POINTER_BYTES)
    _derived(round, b, of.reverse, signature, given, _mask(signature), tape, rows)
    return Results()


def _build_tangent(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value]
) -> Results[Value]:
    mask, rows = int_constant(_ALL, I64), None
    if lent_shadows.may_lend(round, signature, given):
        rows = b.alloca(ArrayType(I64, lent_shadows.rows_size(given) // 8), align=8)
    tape = _augmented(round, b, of, signature, given, mask, rows)
    free = round.output.declare(_FREE, FunctionType(VOID, (PTR,)))
    _derived(round, b, of.forward, signature, given, mask, tape, rows)
    b.call(free.name, VOID, [tape])
    return Results()


#: the forms that the functions of a derivative serve directly
BUILDERS: dict[Form, Callable[[Round, Builder, LibraryDerivative, Signature, Parameters[Value]], Results[Value]]] = {
    Form.AUGMENTED: _build_augmented,
    Form.REVERSE: _build_reverse,
    Form.TANGENT: _build_tangent,
}
