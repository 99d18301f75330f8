"""Replaces masked loads, stores, gathers and scatters by one access for each lane.

Where the mask is false, the access goes to a scratch place on the stack.
"""

from __future__ import annotations

from ....ir.builder import Builder
from ....ir.constants import ConstantWord
from ....ir.types import I1, VectorType, alloc_size
from ....ir.values import Function, Instruction, Value

_ACCESSES = ("llvm.masked.load.", "llvm.masked.store.", "llvm.masked.gather.", "llvm.masked.scatter.")


def is_masked_access(name: str) -> bool:
    """True for the name of an intrinsic that `by_lanes` replaces."""
    return name.startswith(_ACCESSES)


def by_lanes(b: Builder, i: Instruction) -> Value:
    """Emits the accesses of a masked call's lanes, and returns the loaded vector."""
    mask = next(a for a in i.arguments if isinstance(a.type, VectorType) and a.type.element == I1)
    if i.type == mask.type or isinstance(i.type, VectorType):
        return load_lanes(b, i, mask, i.arguments[0], i.arguments[-1])
    return store_lanes(b, i, mask, i.arguments[0], i.arguments[1])


def load_lanes(b: Builder, i: Instruction, mask: Value, place: Value, otherwise: Value) -> Value:
    """Loads lanes side by side, or each from a place of its own. Where the mask is false, `otherwise` has the lane."""
    type_ = otherwise.type
    assert isinstance(type_, VectorType)
    scratch = _scratch(i, type_)
    lanes: list[Value] = []
    for lane in range(type_.count):
        chosen = b.lane(mask, lane)
        found = b.load(type_.element, b.select(chosen, _place(b, place, type_, lane), scratch), 1)
        lanes.append(b.select(chosen, found, b.lane(otherwise, lane)))
    return b.vector(type_, lanes)


def store_lanes(b: Builder, i: Instruction, mask: Value, vector: Value, place: Value) -> Value:
    """Stores the lanes for which the mask is true, side by side or each to a place of its own."""
    type_ = vector.type
    assert isinstance(type_, VectorType)
    scratch = _scratch(i, type_)
    for lane in range(type_.count):
        target = b.select(b.lane(mask, lane), _place(b, place, type_, lane), scratch)
        b.store(b.lane(vector, lane), target, 1)
    return ConstantWord(i.type, "poison")


def _place(b: Builder, place: Value, type_: VectorType, lane: int) -> Value:
    """The pointer to a lane: gathers and scatters have a vector of them, else lanes lie side by side."""
    if isinstance(place.type, VectorType):
        return b.lane(place, lane)
    return b.offset(place, lane * alloc_size(type_.element), ())


def _scratch(i: Instruction, type_: VectorType) -> Value:
    function = i.block.function if i.block is not None else None
    assert isinstance(function, Function)
    return Builder.first(function.entry).alloca(type_.element, align=16)
