"""Masked loads, stores, gathers and scatters of vectors become one access per lane, to a scratch place where the mask
says no.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.types import I1, PTR, VectorType, alloc_size
from ...ir.values import ConstantWord, Function, Instruction, MemoryInfo, Value

_ACCESSES = ("llvm.masked.load.", "llvm.masked.store.", "llvm.masked.gather.", "llvm.masked.scatter.")


def is_masked_access(name: str) -> bool:
    return name.startswith(_ACCESSES)


def by_lanes(b: Builder, i: Instruction) -> Value:
    """The accesses of the call's lanes; the loaded vector."""
    mask = next(a for a in i.arguments if isinstance(a.type, VectorType) and a.type.element == I1)
    if i.type == mask.type or isinstance(i.type, VectorType):
        return load_lanes(b, i, mask, i.arguments[0], i.arguments[-1])
    return store_lanes(b, i, mask, i.arguments[0], i.arguments[1])


def load_lanes(b: Builder, i: Instruction, mask: Value, place: Value, otherwise: Value) -> Value:
    """The lanes at a place, or at one place each, as far as the mask says; those of `otherwise` else."""
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
    """Stores of the lanes for which the mask says so, side by side or each to a place of its own."""
    type_ = vector.type
    assert isinstance(type_, VectorType)
    scratch = _scratch(i, type_)
    for lane in range(type_.count):
        target = b.select(b.lane(mask, lane), _place(b, place, type_, lane), scratch)
        b.store(b.lane(vector, lane), target, 1)
    return ConstantWord(i.type, "poison")


def _place(b: Builder, place: Value, type_: VectorType, lane: int) -> Value:
    """Of a gather or scatter a pointer per lane; else the lanes lie side by side."""
    if isinstance(place.type, VectorType):
        return b.lane(place, lane)
    return b.offset(place, lane * alloc_size(type_.element), ())


def _scratch(i: Instruction, type_: VectorType) -> Value:
    function = i.block.function if i.block is not None else None
    assert isinstance(function, Function)
    return function.entry.insert(0, Instruction("alloca", PTR, [], MemoryInfo(type_.element, 16)))
