"""Finds integers of unknown kind that copy bytes of memory with a shadow: forward mode copies their shadow, too."""

from __future__ import annotations

from ...ir.types import IntType
from ...ir.value_edges import COPIED
from ...ir.values import Instruction, Value
from ..type_analysis.analysis import Kind
from ..values.flow import uses
from .activity import Activity
from .untracked_bits import SMALLEST_TRACKED


def copied_bytes(activity: Activity) -> frozenset[Value]:
    """Returns loads of such bytes, and the phis, selects and freezes that only pass them on."""
    loads: list[Instruction] = [i for i in activity.function.instructions() if _is_unknown_load(activity, i)]
    return frozenset(uses(loads, COPIED))


def _is_unknown_load(activity: Activity, i: Instruction) -> bool:
    if i.opcode != "load" or not isinstance(i.type, IntType) or not activity.shadowed(i.operands[0]):
        return False
    if i in activity.varied:
        return False
    if i.type.bits < SMALLEST_TRACKED:  # perhaps a part of a number
        layout = activity.carriers.types.contents(i.operands[0], i.type.bits // 8).layout
        return layout is None or any(s.kind is not Kind.INTEGER for s in layout.segments)
    return activity.carriers.types.values.kind(i) is not Kind.INTEGER
