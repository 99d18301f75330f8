"""Scalars inside first-class types, and the lane numbers of shuffle masks."""

from __future__ import annotations

from .constants import ConstantAggregate, ConstantInt, ConstantSplat, ConstantWord
from .types import (
    ArrayType,
    FloatType,
    NamedStruct,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    struct_fields,
)
from .values import Value


def float_leaves(
    type_: Type, indices: tuple[int, ...] = (), offset: int = 0
) -> list[tuple[tuple[int, ...], Type, int]]:
    """Returns (indices, type, byte offset) of every floating-point scalar or vector inside a first-class type."""
    if isinstance(type_, FloatType):
        return [(indices, type_, offset)]
    if isinstance(type_, VectorType):
        return [(indices, type_, offset)] if isinstance(type_.element, FloatType) else []
    if isinstance(type_, ArrayType):
        size = alloc_size(type_.element)
        parts = [(type_.element, k * size) for k in range(type_.count)]
    elif isinstance(type_, StructType | NamedStruct):
        parts = list(zip(struct_fields(type_), field_offsets(type_), strict=True))
    else:
        return []
    return [
        leaf
        for k, (part, part_offset) in enumerate(parts)
        for leaf in float_leaves(part, (*indices, k), offset + part_offset)
    ]


def scalar_leaves(type_: Type) -> list[tuple[Type, int]]:
    """Returns (type, byte offset) of every floating-point scalar inside a first-class type."""
    found: list[tuple[Type, int]] = []
    for _, leaf, offset in float_leaves(type_):
        if isinstance(leaf, VectorType):
            found += [(leaf.element, offset + k * alloc_size(leaf.element)) for k in range(leaf.count)]
        else:
            found.append((leaf, offset))
    return found


def shuffle_lanes(mask: Value) -> list[int]:
    """Returns the lane numbers of a shuffle's mask; a lane that is poison is -1."""
    if isinstance(mask, ConstantAggregate):
        return [e.value if isinstance(e, ConstantInt) else -1 for e in mask.elements]
    assert isinstance(mask.type, VectorType)
    if isinstance(mask, ConstantSplat) and isinstance(mask.element, ConstantInt):
        return [mask.element.value] * mask.type.count
    return [0 if isinstance(mask, ConstantWord) and mask.word == "zeroinitializer" else -1] * mask.type.count
