"""Shadow memory in both modes: how many bytes the primal's calls are about, and zeroing as many of the shadow's."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.activity.activity import Activity
from ...ir.builder import Builder
from ...ir.constants import Constant
from ...ir.folding import int_constant
from ...ir.types import I1, I8, I64, VOID
from ...ir.values import Instruction, Value
from .cloning import Cloning


def clear(b: Builder, pointer: Value, size: Value) -> None:
    """Zeroes size (i64) bytes."""
    b.call("@llvm.memset.p0.i64", VOID, (pointer, int_constant(0, I8), size, int_constant(0, I1)))


def size_operand(activity: Activity, i: Instruction) -> Value:
    """The operand that says how many bytes a copy or fill is about."""
    known = activity.callees.of(i).known
    assert known is not None
    return i.arguments[known.length]


def emitted_size(sweep: Cloning, size: Value) -> Value:
    """The new function's value of a size in the primal, as i64."""
    return sweep.b.resize_int(sweep.of(size), I64)


def allocated_size(sweep: Cloning, i: Instruction) -> Value:
    """How many bytes an allocating call makes."""
    known = sweep.activity.callees.of(i).known
    assert known is not None
    return emitted_product(sweep, [i.arguments[k] for k in known.size_operands])


def emitted_product(sweep: Cloning, factors: Sequence[Value]) -> Value:
    """The product of several sizes in the primal, as i64."""
    size: Value = int_constant(1)
    for factor in factors:
        size = sweep.b.mul(size, emitted_size(sweep, factor))
    return size


def check_shadows(sweep: Cloning, i: Instruction, pointers: list[Value]) -> None:
    """Raises EnzymeError where an inner derivative adds to memory that has no shadow."""
    if not all(isinstance(p, Constant) or sweep.activity.shadowed(p) for p in pointers):
        raise sweep.analyses.refusal(i, "the inner derivative adds to memory that is constant in the outer one")
