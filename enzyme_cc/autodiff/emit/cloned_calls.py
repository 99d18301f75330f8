"""Calls in both modes: what a callee's derivative is passed, and the shadows of pointers that calls return."""

from __future__ import annotations

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...analysis.region_calls import is_region_call
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, VOID, FunctionType
from ...ir.values import Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.parallel.openmp import DIVIDES
from ...rules.runtime_functions import ABOUT_KEYS, TEAM_ALONE, UNKNOWN_FUNCTION
from ..core.calling_convention import Parameters, Results
from ..core.provenance import call_site
from ..core.signature import Form, Signature
from .cloning import Cloning
from .questions_about_keys import clone_question
from .region_forks import fork_primal

_SHOWN = 3  # places of a call, in a message


def call_parameters(sweep: Cloning, i: Instruction, signature: Signature, form: Form) -> Parameters[Value]:
    """Returns what a call passes to one form of the callee's derivative: arguments and shadows."""
    arguments = i.arguments
    return Parameters.paired(
        signature.arguments,
        lambda k: sweep.of(arguments[k]),
        lambda k: [sweep.shadow_of(arguments[k]) for _ in sweep.directions()],
        form,
    )


def results_of_call(sweep: Cloning, i: Instruction, result: Value, places: Results[int]) -> None:
    """Takes the primal's result and its shadows from the results of the callee's derivative."""
    if places.primal is not None:
        sweep.primal[i] = sweep.b.extract_value(result, places.primal)
    for direction, place in enumerate(places.shadows):
        sweep.shadows[direction][i] = sweep.b.extract_value(result, place)


def shadow_of_returned_pointer(sweep: Cloning, i: Instruction) -> None:
    """Sets the shadow of the pointer that a copy or fill returns: its target, or the end of the target (mempcpy)."""
    if i.type == PTR and sweep.has_shadow(i):
        target = sweep.activity.callees.copy_operands(i)[0]
        distance = None
        if sweep.activity.callees.of(i).name.endswith("mempcpy"):
            distance = sweep.of(i.arguments[2])
        shadow = sweep.shadow_of(target)
        sweep.shadow[i] = shadow if distance is None else sweep.b.offset(shadow, distance)


def clone_constant(sweep: Cloning, i: Instruction) -> None:
    """Clones a call of a function that no derivative goes into.

    A copy of the function compares the pointers that it loads, if that matters (shadow_access/compared_pointers.py).
    """
    if is_region_call(i):
        fork_primal(sweep.b, i, [sweep.of(a) for a in i.arguments])
        return
    name = sweep.activity.callees.of(i).name
    if sweep.activity.callees.of(i).kind is not CalleeKind.DEFINED or not sweep.round.other_names.is_copied(name):
        sweep.clone_plain(i)
        return
    signature = Signature(name, (ArgumentActivity.CONST,) * len(i.arguments), ResultActivity.NONE)
    copy, proto = sweep.round.derivatives.of(signature, Form.TANGENT, False)
    result = sweep.b.call(copy, proto.result, call_parameters(sweep, i, signature, Form.TANGENT).in_order())
    results_of_call(sweep, i, result, proto.places)


def clone_inactive(sweep: Cloning, i: Instruction) -> None:
    """Clones a call of an inactive function.

    If it returns a pointer into an operand, the shadow has the same distance from the operand's shadow. Null stays
    null. What a set-up call returns is its own shadow.
    """
    if sweep.activity.callees.of(i).name in ABOUT_KEYS:
        clone_question(sweep, i)
        return
    if plain_name(sweep.activity.callees.of(i).name) in DIVIDES and not sweep.analyses.signature.team.is_own:
        TEAM_ALONE.call(sweep.b, sweep.round.text("OpenMP's calls of a team that the program made"))
    sweep.clone_plain(i)
    if not sweep.has_shadow(i):
        return
    known = sweep.activity.callees.of(i).known
    assert known is not None
    if known.set_up:
        for _ in sweep.directions():
            sweep.shadow[i] = sweep.of(i)
        return
    assert known.result is not None
    operand = i.arguments[known.result]
    result, b = sweep.of(i), sweep.b
    address, origin = (b.cast("ptrtoint", p, I64) for p in (result, sweep.of(operand)))
    distance, is_null = b.sub(address, origin), b.icmp("eq", result, zero(PTR))
    for _ in sweep.directions():
        sweep.shadow[i] = b.select(is_null, zero(PTR), b.offset(sweep.shadow_of(operand), distance, ()))


def _calls(sweep: Cloning, i: Instruction) -> str:
    """Tells where a call is. A dispatcher makes the call for several places."""
    function = sweep.analyses.function
    places = sweep.round.call_sites.get(function.name) or [call_site(sweep.round.source, function, i)]
    shown = list(dict.fromkeys(places))
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more


def clone_refused(sweep: Cloning, i: Instruction) -> None:
    """Refuses an active call. A call of an unknown function ends the program when it is reached."""
    if i not in sweep.activity.active_calls:
        sweep.clone_plain(i)
    elif sweep.activity.callees.of(i).kind is CalleeKind.INDIRECT and not i.call.function_type.vararg:
        pointer, passed = sweep.activity.callees.pointer_call(i)
        type_ = FunctionType(i.type, tuple(a.type for a in passed))
        is_direct = int_constant(int(sweep.activity.callees.of(i).name != ""))
        name, calls = sweep.round.text(str(type_)), sweep.round.text(_calls(sweep, i))
        UNKNOWN_FUNCTION.call(sweep.b, name, sweep.of(pointer), is_direct, calls)
        if i.type != VOID:
            sweep.primal[i] = zero(i.type)
            for _ in sweep.directions():
                sweep.shadow[i] = zero(i.type)
    else:
        raise sweep.analyses.refusal(i)
