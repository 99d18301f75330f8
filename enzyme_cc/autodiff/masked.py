"""Masked loads, stores, gathers and scatters of vectors become one access per lane, to a scratch place where the mask
says no.
"""

from __future__ import annotations

from ..ir.builder import Builder, int_constant
from ..ir.types import I1, PTR, VectorType, alloc_size
from ..ir.values import ConstantWord, Function, Instruction, MemoryInfo, Value

_ACCESSES = ("llvm.masked.load.", "llvm.masked.store.", "llvm.masked.gather.", "llvm.masked.scatter.")


def is_masked_access(name: str) -> bool:
    return name.startswith(_ACCESSES)


def by_lanes(b: Builder, i: Instruction) -> Value:
    """The accesses of the call's lanes; the loaded vector."""
    mask = next(a for a in i.arguments if isinstance(a.type, VectorType) and a.type.element == I1)
    if i.type == mask.type or isinstance(i.type, VectorType):
        return _load(b, i, mask, i.arguments[0], i.arguments[-1])
    return _store(b, i, mask, i.arguments[0], i.arguments[1])


def _load(b: Builder, i: Instruction, mask: Value, place: Value, otherwise: Value) -> Value:
    type_ = i.type
    assert isinstance(type_, VectorType)
    scratch = _scratch(i, type_)
    out: Value = ConstantWord(type_, "poison")
    for lane in range(type_.count):
        chosen = _lane(b, mask, lane)
        found = b.load(type_.element, b.select(chosen, _place(b, place, type_, lane), scratch), 1)
        value = b.select(chosen, found, _lane(b, otherwise, lane))
        out = b.emit("insertelement", type_, (out, value, int_constant(lane)))
    return out


def _store(b: Builder, i: Instruction, mask: Value, vector: Value, place: Value) -> Value:
    type_ = vector.type
    assert isinstance(type_, VectorType)
    scratch = _scratch(i, type_)
    for lane in range(type_.count):
        target = b.select(_lane(b, mask, lane), _place(b, place, type_, lane), scratch)
        b.store(_lane(b, vector, lane), target, 1)
    return ConstantWord(i.type, "poison")


def _lane(b: Builder, vector: Value, lane: int) -> Value:
    assert isinstance(vector.type, VectorType)
    return b.emit("extractelement", vector.type.element, (vector, int_constant(lane)))


def _place(b: Builder, place: Value, type_: VectorType, lane: int) -> Value:
    """Of a gather or scatter a pointer per lane; else the lanes lie side by side."""
    if isinstance(place.type, VectorType):
        return _lane(b, place, lane)
    return b.offset(place, lane * alloc_size(type_.element), ())


def _scratch(i: Instruction, type_: VectorType) -> Value:
    function = i.block.function if i.block is not None else None
    assert isinstance(function, Function)
    return function.entry.insert(0, Instruction("alloca", PTR, [], MemoryInfo(type_.element, 16)))
