"""The walk over the indices of a getelementptr, extractvalue or insertvalue: what each adds, in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .constants import ConstantInt
from .types import ArrayType, NamedStruct, StructType, Type, VectorType, alloc_size, field_offsets, struct_fields
from .values import Value


def address_terms(source: Type, indices: Sequence[Value]) -> tuple[int, list[tuple[Value, int]]]:
    """Returns the bytes that the constant indices of a getelementptr add, and the other indices with their scales."""
    constant, variable = 0, []
    type_ = source
    for position, index in enumerate(indices):
        if position and isinstance(type_, StructType | NamedStruct):
            assert isinstance(index, ConstantInt)
            constant += field_offsets(type_)[index.value]
            type_ = struct_fields(type_)[index.value]
            continue
        if position:
            assert isinstance(type_, ArrayType | VectorType)
            type_ = type_.element
        if isinstance(index, ConstantInt):
            constant += index.value * alloc_size(type_)
        else:
            variable.append((index, alloc_size(type_)))
    return constant, variable


def member_offset(type_: Type, indices: Iterable[int]) -> int:
    """Returns the offset in bytes of the member of a struct, array or vector at these indices."""
    at = 0
    for index in indices:
        if isinstance(type_, ArrayType | VectorType):
            at, type_ = at + index * alloc_size(type_.element), type_.element
        else:
            at, type_ = at + field_offsets(type_)[index], struct_fields(type_)[index]
    return at
