"""Scalars inside first-class types, and the lane numbers of shuffle masks."""

from __future__ import annotations

from collections.abc import Callable

from .constants import ConstantAggregate, ConstantInt, ConstantSplat, ConstantWord
from .types import (
    I64,
    ArrayType,
    FloatType,
    NamedStruct,
    PointerType,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    struct_fields,
)
from .values import Value

#: the indices of a scalar or vector inside a first-class type, its type, and its first byte
PlacedLeaf = tuple[tuple[int, ...], Type, int]


def float_leaves(type_: Type, indices: tuple[int, ...] = (), offset: int = 0) -> list[PlacedLeaf]:
    """Returns (indices, type, byte offset) of every floating-point scalar or vector inside a first-class type."""
    if isinstance(type_, FloatType):
        return [(indices, type_, offset)]
    return _leaves(type_, lambda t: isinstance(t, FloatType), indices, offset)


def word_leaves(type_: Type) -> list[PlacedLeaf]:
    """Returns the same of every pointer, every integer that may carry one, and every vector of these."""
    return _leaves(type_, lambda t: isinstance(t, PointerType) or t == I64, (), 0)


def _leaves(type_: Type, is_leaf: Callable[[Type], bool], indices: tuple[int, ...], offset: int) -> list[PlacedLeaf]:
    if is_leaf(type_):
        return [(indices, type_, offset)]
    if isinstance(type_, VectorType):
        return [(indices, type_, offset)] if is_leaf(type_.element) else []
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
        for leaf in _leaves(part, is_leaf, (*indices, k), offset + part_offset)
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
