"""How C returns structs: small ones in registers, larger ones through memory, as the ABI of each architecture has it.

- x86-64: System V ABI, 3.2.3. Up to 16 bytes in registers, by words of 8 bytes.
- AArch64: AAPCS64, 6.9. Up to four numbers of one type in vector registers; others up to 16 bytes in general ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.builder import Builder
from ...ir.types import (
    DOUBLE,
    FLOAT,
    PTR,
    ArrayType,
    FloatType,
    IntType,
    StructType,
    Type,
    VectorType,
    align_up,
    alignment,
    alloc_size,
)
from ...ir.values import Value


def places(types: Sequence[Type]) -> tuple[list[int], int]:
    """Returns the byte offsets of the fields of a C struct, and its size."""
    offsets: list[int] = []
    end = 0
    for type_ in types:
        offsets.append(align_up(end, alignment(type_)))
        end = offsets[-1] + alloc_size(type_)
    return offsets, align_up(end, max(map(alignment, types), default=1))


def returned(types: Sequence[Type], architecture: str) -> Type | None:
    """Returns the LLVM type in which clang returns a struct of these scalars; None if it returns it through memory."""
    return types[0] if len(types) == 1 else _RETURNED[architecture](types)


def _on_x86_64(types: Sequence[Type]) -> Type | None:
    offsets, size = places(types)
    if size > 16 or any(isinstance(t, FloatType) and t not in (FLOAT, DOUBLE) for t in types):
        return None
    words = [[t for t, o in zip(types, offsets, strict=True) if o // 8 == k] for k in range((size + 7) // 8)]
    return StructType(tuple(_word(word, min(8, size - 8 * k)) for k, word in enumerate(words)))


def _word(types: list[Type], size: int) -> Type:
    if len(types) == 1 and types[0] in (FLOAT, DOUBLE, PTR):
        return types[0]
    if all(t == FLOAT for t in types):
        return VectorType(FLOAT, 2)
    return IntType(8 * size)


def _on_aarch64(types: Sequence[Type]) -> Type | None:
    if len(types) <= 4 and isinstance(types[0], FloatType) and len(set(types)) == 1:
        return StructType(tuple(types))
    _, size = places(types)
    if size > 16:
        return None
    if max(map(alignment, types)) == 16:
        return IntType(128)
    return IntType(64) if size <= 8 else ArrayType(IntType(64), 2)


_RETURNED = {"x86_64": _on_x86_64, "aarch64": _on_aarch64}


def memory_attribute(types: Sequence[Type], architecture: str) -> str:
    """Returns the attribute of the pointer to a struct that is returned through memory."""
    # AArch64 has a register of its own for it. On x86-64, the attribute would change nothing for the caller.
    return f"sret({StructType(tuple(types))})" if architecture == "aarch64" else ""


def emit_return(b: Builder, values: Sequence[Value], type_: Type | None, memory: Value | None) -> None:
    """Emits the return of the values: as a struct of the type, or in `memory` if that is given."""
    if len(values) <= 1 and memory is None:
        b.ret(values[0] if values else None)
        return
    place = memory
    if place is None:
        assert type_ is not None
        place = b.alloca(type_, align=16)
    for value, offset in zip(values, places([v.type for v in values])[0], strict=True):
        b.store(value, b.offset(place, offset), 1)
    b.ret(None if type_ is None else b.load(type_, place))
