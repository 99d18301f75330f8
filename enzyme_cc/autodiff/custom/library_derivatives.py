"""Calls derivatives of library functions (<enzyme/derivative.h>), in all forms and directions.

Each of the three functions of such a derivative takes the arguments of the function. A pointer is followed by its
shadow, which is null if the memory is constant. Then comes a mask of the arguments whose memory nobody but the function
itself writes until the derivative ends. The reverse and the forward function also take the tape, which the augmented
function allocates by malloc; null is a tape, too.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.callees import ROUTINE, plain_name
from ...analysis.memory.effects import Any
from ...analysis.memory.facts import effects_of
from ...ir.builder import Builder
from ...ir.constants import Constant
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I64, PTR, VOID, FunctionType, is_pointer
from ...ir.values import Argument, Value
from ...rules import runtime_functions as runtime
from ..core.calling_convention import Parameters, Results
from ..core.registrations import LibraryDerivative
from ..core.round import Round
from ..core.signature import Form, Signature
from ..globals.external_refusals import refuse_routine

_FREE = "@free"
_ALL = -1  # forward mode runs at once: nobody else writes


def _arguments(round: Round, b: Builder, signature: Signature, given: Parameters[Value], direction: int) -> list[Value]:
    """Returns each argument, and behind a pointer its shadow or null."""
    found: list[Value] = []
    for k, argument in enumerate(given.arguments):
        found.append(argument)
        if is_pointer(argument.type):
            shadow = given.shadows[k][direction] if k in given.shadows else zero(PTR)
            is_sure = k not in given.shadows or k in signature.own_shadows or not round.options.runtime_activity
            found.append(shadow if is_sure else _unless_constant(b, argument, shadow))
    return found


def _unless_constant(b: Builder, memory: Value, shadow: Value) -> Value:
    """Returns null for memory that is its own shadow: only the run tells that it is constant."""
    return b.select(b.icmp("eq", memory, shadow), zero(PTR), shadow)


def _refuse_lost(round: Round, b: Builder, signature: Signature, given: Parameters[Value]) -> None:
    """Emits a refusal of memory without a shadow that holds or gets numbers with derivatives."""
    unsure = [k for k in given.shadows if k not in signature.own_shadows and is_pointer(given.arguments[k].type)]
    if not (round.options.runtime_activity and round.external.is_met):
        return
    is_active: Value = int_constant(len(unsure) < len(given.shadows), I1)
    same: dict[int, Value] = {}
    for k in unsure:
        memory, shadow = given.arguments[k], given.shadows[k][0]
        same[k] = b.int_op("and", b.icmp("eq", memory, shadow), b.icmp("ne", memory, zero(PTR)))
        is_active = b.int_op("or", is_active, b.icmp("ne", memory, shadow))
    written = _written(round, signature.function)
    for k, is_constant in same.items():
        is_lost = is_active if k in written else int_constant(0, I1)
        refuse_routine(round, b, _plain(signature), is_constant, given.arguments[k], is_lost)


def _written(round: Round, function: str) -> frozenset[int]:
    """Returns the parameters behind which a routine writes."""
    writes = effects_of(round.source).summary(round.source.functions[function])
    if isinstance(writes, Any):
        return frozenset(range(len(round.source.functions[function].arguments)))
    return frozenset(write.pointer.index for write in writes if isinstance(write.pointer, Argument))


def _plain(signature: Signature) -> str:
    return plain_name(signature.function).removeprefix(ROUTINE)


def _mask(signature: Signature) -> Constant:
    return int_constant(sum(1 << k for k in signature.preserved if k >= 0), I64)


def _augmented(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value], mask: Value
) -> Value:
    """Calls the function once, for all directions: it only asks which shadows are null."""
    _refuse_lost(round, b, signature, given)
    return b.call(of.augmented, PTR, [*_arguments(round, b, signature, given, 0), mask])


def _build_augmented(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value]
) -> Results[Value]:
    assert given.arena is not None
    tape = _augmented(round, b, of, signature, given, _mask(signature))
    runtime.DEFER_FREE.call(b, given.arena, tape, round.output.declare(_FREE, FunctionType(VOID, (PTR,))).ref)
    return Results(tape)


def _build_reverse(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value]
) -> Results[Value]:
    assert given.tape is not None
    for direction in range(signature.directions):
        b.call(of.reverse, VOID, [*_arguments(round, b, signature, given, direction), _mask(signature), given.tape])
    return Results()


def _build_tangent(
    round: Round, b: Builder, of: LibraryDerivative, signature: Signature, given: Parameters[Value]
) -> Results[Value]:
    mask = int_constant(_ALL, I64)
    tape = _augmented(round, b, of, signature, given, mask)
    free = round.output.declare(_FREE, FunctionType(VOID, (PTR,)))
    for direction in range(signature.directions):
        b.call(of.forward, VOID, [*_arguments(round, b, signature, given, direction), mask, tape])
    b.call(free.name, VOID, [tape])
    return Results()


#: the forms that the functions of a derivative serve directly
BUILDERS: dict[Form, Callable[[Round, Builder, LibraryDerivative, Signature, Parameters[Value]], Results[Value]]] = {
    Form.AUGMENTED: _build_augmented,
    Form.REVERSE: _build_reverse,
    Form.TANGENT: _build_tangent,
}
