"""Shadow memory in both modes: the instructions that add to it and clear it, and how many bytes a call accesses."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.activity.activity import Activity
from ...ir.builder import Builder
from ...ir.constants import Constant
from ...ir.folding import int_constant, zero
from ...ir.types import DOUBLE, FLOAT, I1, I8, I64, VOID, Type, VectorType, alloc_size
from ...ir.values import Instruction, MemoryInfo, Value
from ...report.diagnostics import NotOnTeams
from ..core.alias_scopes import Metadata
from .sweep import Sweep

#: the scope of the atomic additions that LLVM is not to join
ADDITION = "ez_addition"
#: of memory that allocators return
_ALIGNMENT = 16
#: bytes, and how many more come between shadows that have as many or more: five lines of the cache
_PAGE, _APART = 4096, 5 * 64


def add_unjoined(b: Builder, place: Value, number: Value) -> None:
    """Emits the addition of a number, or of a vector of them, to memory, as one that LLVM does not join with others."""
    type_ = number.type
    if isinstance(type_, VectorType):
        for k in range(type_.count):
            element = b.emit("extractelement", type_.element, (number, int_constant(k)))
            add_unjoined(b, b.offset(place, k * alloc_size(type_.element)), element)
        return
    info = MemoryInfo(None, alloc_size(type_), f'syncscope("{ADDITION}") monotonic', "fadd")
    b.emit("atomicrmw", type_, (place, number), info)


def add_atomically(b: Builder, place: Value, number: Value, align: int | None, metadata: Metadata = ()) -> None:
    """Emits the addition of a number, or of a vector of them, to memory that other threads add to.

    Raises `NotOnTeams` for numbers that are not aligned.
    """
    type_ = number.type
    if isinstance(type_, VectorType):
        for k in range(type_.count):
            element = b.emit("extractelement", type_.element, (number, int_constant(k)))
            size = alloc_size(type_.element)
            add_atomically(b, b.offset(place, k * size), element, size, metadata)
        return
    b.emit("atomicrmw", type_, (place, number), _atomic(type_, align, "fadd")).metadata = metadata


def take_atomically(b: Builder, place: Value, type_: Type, align: int | None) -> Value:
    """Emits what takes a number, or a vector of them, out of memory that other threads add to, and leaves zero.

    Raises `NotOnTeams` as `add_atomically` does.
    """
    if not isinstance(type_, VectorType):
        return b.emit("atomicrmw", type_, (place, zero(type_)), _atomic(type_, align, "xchg"))
    taken: Value = zero(type_)
    for k in range(type_.count):
        at = b.offset(place, k * alloc_size(type_.element))
        element = take_atomically(b, at, type_.element, alloc_size(type_.element))
        taken = b.emit("insertelement", type_, (taken, element, int_constant(k)))
    return taken


def _atomic(type_: Type, align: int | None, operation: str) -> MemoryInfo:
    if type_ not in (DOUBLE, FLOAT) or (align is not None and align < alloc_size(type_)):
        raise NotOnTeams(f"threads add numbers of type {type_}, or numbers that are not aligned")
    return MemoryInfo(None, alloc_size(type_), "monotonic", operation)


def is_addition(i: Instruction) -> bool:
    """True for an addition that `add_unjoined` emitted."""
    return i.opcode == "atomicrmw" and ADDITION in i.memory.ordering


def clear(b: Builder, pointer: Value, size: Value) -> None:
    """Emits code that zeroes `size` (i64) bytes."""
    b.call("@llvm.memset.p0.i64", VOID, (pointer, int_constant(0, I8), size, int_constant(0, I1)))


def distance_apart(b: Builder, size: Value) -> Value:
    """Returns the distance of shadows of this size that lie one after the other.

    Caches have as many sets as a page has lines: those of whole pages would meet in one set.
    """
    rounded = b.emit("and", I64, (b.add(size, int_constant(_ALIGNMENT - 1)), int_constant(-_ALIGNMENT)))
    return b.add(rounded, b.select(b.icmp("ult", size, int_constant(_PAGE)), int_constant(0), int_constant(_APART)))


def size_operand(activity: Activity, i: Instruction) -> Value:
    """Returns the operand that gives the number of bytes of a copy or fill."""
    known = activity.callees.of(i).known
    assert known is not None
    return i.arguments[known.length]


def emitted_size(sweep: Sweep, size: Value) -> Value:
    """Returns, as i64, the new function's value of a size in the primal."""
    return sweep.b.resize_int(sweep.of(size), I64)


def allocated_size(sweep: Sweep, i: Instruction) -> Value:
    """Returns the number of bytes that a call allocates."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    return emitted_product(sweep, [i.arguments[k] for k in known.size_operands])


def emitted_product(sweep: Sweep, factors: Sequence[Value]) -> Value:
    """Returns, as i64, the product of several sizes in the primal."""
    size: Value = int_constant(1)
    for factor in factors:
        size = sweep.b.mul(size, emitted_size(sweep, factor))
    return size


def check_shadows(sweep: Sweep, i: Instruction, pointers: list[Value]) -> None:
    """Raises EnzymeError if an inner derivative adds to memory that has no shadow."""
    if not all(isinstance(p, Constant) or sweep.activity.shadowed(p) for p in pointers):
        raise sweep.analyses.refusal(i, "the inner derivative adds to memory that is constant in the outer one")
