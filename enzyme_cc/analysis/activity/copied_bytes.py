"""Integers that copy bytes of which nobody can tell what they are: in forward mode their shadows are copied, too."""

from __future__ import annotations

from ...ir.types import IntType
from ...ir.values import Instruction, Value
from ..type_analysis.analysis import Kind
from .activity import Activity

#: type analysis follows integers from this size on
_WORD = 16
_COPIES = frozenset(["phi", "select", "freeze"])


def copied_bytes(activity: Activity) -> frozenset[Value]:
    """Loads from memory that has a shadow, and what only passes them on."""
    found = {i for i in activity.function.instructions() if _is_unknown_load(activity, i)}
    work = list(found)
    while work:
        for user in work.pop().users:
            if user.opcode in _COPIES and user not in found:
                found.add(user)
                work.append(user)
    return frozenset[Value](found)


def _is_unknown_load(activity: Activity, i: Instruction) -> bool:
    if i.opcode != "load" or not isinstance(i.type, IntType) or not activity.shadowed(i.operands[0]):
        return False
    if i in activity.varied:
        return False
    if i.type.bits < _WORD:  # part of a number, perhaps
        layout = activity.carriers.types.layout(i.operands[0], i.type.bits // 8)
        return layout is None or any(s.kind is not Kind.INTEGER for s in layout.segments)
    return activity.carriers.types.value_kind(i) is not Kind.INTEGER
