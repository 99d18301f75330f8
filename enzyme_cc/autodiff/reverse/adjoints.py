"""The adjoint of each instruction, one function per opcode, in the table ADJOINTS.

Each function gets the reverse sweep and an instruction that has work there (`has_reverse_work`). Arithmetic and calls
of known functions take their partial derivatives from the rules table (table_adjoints.py). This file has the adjoints
of casts, vectors, aggregates and other calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from ...analysis.region_calls import is_region_call
from ...analysis.storage.needs import Need, NeedKind
from ...ir.folding import zero
from ...ir.instructions import (
    FLOAT_ARITHMETIC,
    FLOAT_TO_INTEGER,
    INTEGER_TO_FLOAT,
    MOVES_BITS,
    MULTIPLICATIVE,
    POINTER_CASTS,
    TERMINATORS,
    InstructionKind,
    of_kind,
)
from ...ir.leaves import shuffle_lanes
from ...ir.types import VOID, Type, VectorType, indexed_type
from ...ir.values import Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.reduce import sum_of_lanes
from ..core.calling_convention import Parameters
from ..core.derivatives import alone
from ..core.signature import Form
from ..emit import dropped_tapes
from ..emit.made_tasks import is_apart, reverse_apart
from ..emit.region_forks import RegionDerivative
from . import bulk_adjoints as bulk
from . import memory_adjoints as memory
from . import runtime_calls
from .packed import adjoint_of_bit_moves
from .reverse_values import ReverseValues
from .table_adjoints import adjoint_of_arithmetic, adjoint_of_rule_call


def _resize(sweep: ReverseValues, i: Instruction) -> None:
    operand = i.operands[0]
    sweep.add(operand, sweep.b.resize_float(sweep.take(i), operand.type))


def _select(sweep: ReverseValues, i: Instruction) -> None:
    condition, a, c = i.operands
    adjoint = sweep.take(i)
    chosen = sweep.of(condition)
    nothing = zero(adjoint.type)
    if sweep.is_active(a):
        sweep.add(a, sweep.b.select(chosen, adjoint, nothing))
    if sweep.is_active(c):
        sweep.add(c, sweep.b.select(chosen, nothing, adjoint))


def _extract_element(sweep: ReverseValues, i: Instruction) -> None:
    vector, index = i.operands
    adjoint = sweep.take(i)
    if sweep.is_active(vector):
        spread = sweep.b.with_lane(zero(vector.type), adjoint, sweep.of(index))
        sweep.add(vector, spread)


def _insert_element(sweep: ReverseValues, i: Instruction) -> None:
    vector, element, index = i.operands
    adjoint = sweep.take(i)
    where = sweep.of(index)
    if sweep.is_active(element):
        sweep.add(element, sweep.b.lane(adjoint, where))
    if sweep.is_active(vector):
        sweep.add(vector, sweep.b.with_lane(adjoint, zero(element.type), where))


def _shuffle_vector(sweep: ReverseValues, i: Instruction) -> None:
    a, c, mask = i.operands
    adjoint = sweep.take(i)
    assert isinstance(a.type, VectorType)
    for operand, first in ((a, 0), (c, a.type.count)):
        if sweep.is_active(operand):
            sweep.add(operand, _gather(sweep, adjoint, shuffle_lanes(mask), operand.type, first))


def _gather(sweep: ReverseValues, adjoint: Value, lanes: list[int], type_: Type, first: int) -> Value:
    assert isinstance(type_, VectorType)
    out: Value = zero(type_)
    positions: dict[int, list[int]] = {}
    for position, lane in enumerate(lanes):
        if first <= lane < first + type_.count:
            positions.setdefault(lane - first, []).append(position)
    for lane, parts in positions.items():
        out = sweep.b.with_lane(out, sum_of_lanes(sweep.b, adjoint, parts), lane)
    return out


def _extract_value(sweep: ReverseValues, i: Instruction) -> None:
    adjoint, aggregate = sweep.take(i), i.operands[0]
    if sweep.is_active(aggregate):
        whole = sweep.activity.carriers.adjoint_type(aggregate)
        assert whole is not None
        part = sweep.converted(i, adjoint, indexed_type(whole, i.indices))
        sweep.add(aggregate, sweep.b.insert_value(zero(whole), part, *i.indices))


def _insert_value(sweep: ReverseValues, i: Instruction) -> None:
    aggregate, value = i.operands
    adjoint = sweep.take(i)
    if sweep.is_active(value):
        sweep.add(value, sweep.b.extract_value(adjoint, *i.indices))
    if sweep.is_active(aggregate):
        nothing = zero(indexed_type(adjoint.type, i.indices))
        sweep.add(aggregate, sweep.b.insert_value(adjoint, nothing, *i.indices))


# -- calls


def _call(sweep: ReverseValues, i: Instruction) -> None:
    kind = sweep.activity.callees.of(i).kind
    _CALLS[kind](sweep, i)


def _defined_call(sweep: ReverseValues, i: Instruction) -> None:
    """Calls the combined gradient of the callee, or its reverse function if the primal sweep called the augmented one.

    One call serves all directions.
    """
    signature = sweep.analyses.call_signature(i)
    late = sweep.analyses.is_late(i)
    if is_apart(i, signature):
        reverse_apart(sweep.b, i, sweep.need(Need(NeedKind.TAPE, i)))
        return
    form = Form.COMBINED if late else Form.REVERSE
    name, proto = sweep.round.derivatives.of(signature, form, sweep.analyses.is_certain(i))
    arguments = i.arguments
    given = Parameters.paired(
        signature.arguments,
        lambda k: sweep.of(arguments[k]),
        lambda k: [sweep.shadow_of(arguments[k]) for _ in sweep.directions()],
    )
    seeds = [sweep.converted(i, sweep.take(i), proto.parameters.seeds[d]) for d in _directions_of(sweep, i)]
    tape = None if late else sweep.need(Need(NeedKind.TAPE, i))
    if is_region_call(i):
        region = RegionDerivative(sweep.round, sweep.frame.target, i, signature, form)
        sums = region.run(sweep.b, given, tape)
        for k, adjoints in sums.items():
            for direction in _directions_of(sweep, arguments[k]):
                sweep.add(arguments[k], adjoints[direction])
        return
    name = alone(name) if sweep.is_alone and signature.team else name
    if sweep.analyses.may_be_dropped(i):
        name = dropped_tapes.reverse_or_run_again(sweep.round, signature)
    result = sweep.b.call(name, proto.result, replace(given, seeds=seeds, tape=tape).in_order())
    for k, places in proto.places.adjoints.items():
        for direction in _directions_of(sweep, arguments[k]):
            sweep.add(arguments[k], sweep.b.extract_value(result, places[direction]))


def _dual(sweep: ReverseValues, i: Instruction) -> None:
    """Emits what orders the threads of a team in the reverse sweep."""
    dual = sweep.analyses.dual_of(i)
    assert dual is not None
    operands = [sweep.of(i.arguments[k]) for k in dual.operands]
    if sweep.memory.team is not None:
        sweep.memory.team.flush()
    sweep.b.call(f"@{dual.reverse}", VOID, [*operands, *([sweep.of(i)] if dual.has_ticket else ())])


def _directions_of(sweep: ReverseValues, value: Value) -> Iterable[int]:
    """The directions in which the value has an adjoint: all, or none."""
    return sweep.directions() if sweep.is_active(value) else ()


_Adjoint = Callable[[ReverseValues, Instruction], None]


def _nothing(sweep: ReverseValues, i: Instruction) -> None:
    """The call has no adjoint: the primal sweep refuses it, or does all that it does."""


_CALLS: dict[CalleeKind, _Adjoint] = {
    CalleeKind.DEFINED: _defined_call,
    CalleeKind.CUSTOM: _defined_call,
    CalleeKind.RULE: adjoint_of_rule_call,
    CalleeKind.INACTIVE: _nothing,
    CalleeKind.FREE: _nothing,
    CalleeKind.STACK: _nothing,
    CalleeKind.COPY: bulk.adjoint_of_copy,
    CalleeKind.FILL: bulk.adjoint_of_fill,
    CalleeKind.REALLOCATE: bulk.adjoint_of_reallocation,
    CalleeKind.LINEAR: runtime_calls.adjoint_of_linear,
    CalleeKind.ALLOCATE: bulk.adjoint_of_allocation,
    CalleeKind.INDIRECT: _nothing,
    CalleeKind.ASM: _nothing,
    CalleeKind.UNKNOWN: _nothing,
}


def refuse(sweep: ReverseValues, i: Instruction) -> None:
    """Raises the EnzymeError of an instruction that has no adjoint."""
    raise sweep.analyses.refusal(i)


#: no derivative flows through these
_WITHOUT = (
    TERMINATORS
    | of_kind(InstructionKind.EXCEPTION, InstructionKind.COMPARISON, InstructionKind.ADDRESS)
    | MULTIPLICATIVE
    | FLOAT_TO_INTEGER
    | INTEGER_TO_FLOAT
    | POINTER_CASTS
)

#: a row for every row of the table of instructions
ADJOINTS: Mapping[str, _Adjoint] = {
    **dict.fromkeys(_WITHOUT, refuse),
    # the sweep inverts `phi` and `ret` (reverse_sweep.py)
    **dict.fromkeys(("phi", "fence", "cmpxchg", "va_arg"), refuse),
    **dict.fromkeys(FLOAT_ARITHMETIC, adjoint_of_arithmetic),
    **dict.fromkeys(MOVES_BITS, adjoint_of_bit_moves),
    "fpext": _resize,
    "fptrunc": _resize,
    "select": _select,
    "alloca": bulk.adjoint_of_allocation,
    "load": memory.adjoint_of_load,
    "store": memory.adjoint_of_store,
    "atomicrmw": memory.adjoint_of_atomicrmw,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle_vector,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "call": _call,
}


def emit_adjoint(sweep: ReverseValues, i: Instruction) -> None:
    """Emits the adjoint of an instruction in each direction. Raises EnzymeError where it has none."""
    if sweep.analyses.dual_of(i) is not None:
        _dual(sweep, i)
        return
    if i.opcode == "call" and sweep.activity.callees.of(i).kind in (CalleeKind.DEFINED, CalleeKind.CUSTOM):
        _call(sweep, i)
        return
    for _ in sweep.directions():
        ADJOINTS.get(i.opcode, refuse)(sweep, i)
