"""Finds the region of a store or load: the bytes that it accesses in all iterations of the loops around it.

A region is known if it can be computed before the loops run. If the caller sees the memory, the region is copied once
before the reverse sweep undoes the stores to it, and copied back afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant, ConstantInt
from ...ir.instructions import EXTENSIONS, SCALES, SUMS_OF_OFFSETS, SUMS_WITHOUT_CARRY
from ...ir.types import alloc_size, store_size
from ...ir.values import Argument, Block, Instruction, Value
from ..integers.loops import Induction, TripCount, induction, is_invariant

Loops = tuple[Loop, ...]
#: how many operations of an address are followed
_DEEP = 12


class Dimension(Struct, frozen=True):
    """A loop of the region. `runs_last`: the access also runs in the iteration that leaves the loop."""

    loop: Loop
    count: TripCount
    runs_last: bool


class Region(Struct, frozen=True):
    """The bytes of an access in all iterations of its loops. `dimensions`: these loops, innermost first."""

    access: Instruction
    dimensions: tuple[Dimension, ...]

    @property
    def pointer(self) -> Value:
        return self.access.accessed_pointer

    @property
    def size(self) -> int:
        return store_size(self.access.accessed_type)

    @property
    def outermost(self) -> Loop | None:
        return self.dimensions[-1].loop if self.dimensions else None

    @property
    def loops(self) -> Loops:
        return tuple(d.loop for d in self.dimensions)

    def leaves(self) -> list[Value]:
        """Returns the values from before the loops that the region is computed from."""
        bounds = [v for d in self.dimensions for v in (d.count.start, d.count.bound)]
        found = dict.fromkeys([*_leaves(self.pointer, self.loops), *bounds])
        return [v for v in found if not isinstance(v, Constant)]


def region_of(access: Instruction, flow: ControlFlow, trip_counts: Mapping[Loop, TripCount | None]) -> Region:
    """Returns the region over as many loops as possible, at most two. Only the outermost of them may leave gaps."""
    assert access.block is not None
    region, block, loop = Region(access, ()), access.block, flow.loop_of[access.block]
    while loop is not None and len(region.dimensions) < 2:
        dimension = _dimension(block, loop, flow, trip_counts.get(loop))
        if dimension is None or (region.dimensions and not _is_contiguous(region)):
            break
        wider = Region(access, (*region.dimensions, dimension))
        if not _is_linear(region.pointer, wider.loops):
            break
        if not all(is_invariant(v, loop) for v in wider.leaves()):
            break
        region, block, loop = wider, loop.header, loop.parent
    return region


def _dimension(block: Block, loop: Loop, flow: ControlFlow, count: TripCount | None) -> Dimension | None:
    """Returns the loop as a dimension, if the block runs in each iteration; the last one may leave before it."""
    if count is None or len(loop.latches) != 1 or len(loop.exit_edges) != 1:
        return None
    if not flow.dominates(block, loop.latches[0]):
        return None
    return Dimension(loop, count, flow.dominates(block, loop.exit_edges[0][0]))


def _is_contiguous(region: Region) -> bool:
    return len(region.loops) == 1 and stride(region.pointer, region.loops[0]) == region.size


# -- linear addresses


def induction_of(value: Value, loops: Loops) -> Induction | None:
    """Returns the value as an induction variable of one of the loops, or None."""
    if not isinstance(value, Instruction) or value.opcode != "phi":
        return None
    loop = next((loop for loop in loops if loop.header is value.block), None)
    return induction(value, loop) if loop is not None else None


def varies(value: Value, loops: Loops) -> bool:
    """True if the value changes in one of the loops."""
    return not all(is_invariant(value, loop) for loop in loops)


def linear_operands(value: Instruction, loops: Loops) -> list[Value] | None:
    """Returns the varying operands, if the value is a linear function of them; else None."""
    varying = [o for o in value.operands if varies(o, loops)]
    match value.opcode:
        case opcode if opcode in SUMS_OF_OFFSETS:
            return varying
        case "or":
            return varying if "disjoint" in value.flags else None
        case "mul":
            return varying if len(varying) == 1 else None
        case "shl":
            return None if varies(value.operands[1], loops) else varying
        case opcode if opcode in EXTENSIONS:
            return varying if _keeps_order(value, loops) else None
    return None


def _is_linear(value: Value, loops: Loops, depth: int = _DEEP) -> bool:
    """True if the value is start + Σ stride·iteration over the loops."""
    if not varies(value, loops):
        return True
    variable = induction_of(value, loops)
    if variable is not None:
        return _is_linear(variable.start, loops)
    if not isinstance(value, Instruction) or not depth:
        return False
    operands = linear_operands(value, loops)
    return operands is not None and all(_is_linear(o, loops, depth - 1) for o in operands)


def _leaves(value: Value, loops: Loops) -> Iterator[Value]:
    """Yields the values from before the loops that a linear value is computed from."""
    variable = induction_of(value, loops)
    if isinstance(value, Constant | Argument) or not varies(value, loops):
        yield value
    elif variable is not None:
        yield from _leaves(variable.start, loops)
    elif isinstance(value, Instruction):
        for operand in value.operands:
            yield from _leaves(operand, loops)


def _keeps_order(extension: Instruction, loops: Loops) -> bool:
    """True if the extended value cannot have wrapped around."""
    if "nneg" in extension.flags:
        return True
    source = extension.operands[0]
    flag = "nsw" if extension.opcode == "sext" else "nuw"
    variable = induction_of(source, loops)
    if variable is not None:
        return flag in variable.no_wrap
    return isinstance(source, Instruction) and flag in source.flags


def stride(value: Value, loop: Loop, depth: int = _DEEP) -> int | None:
    """Returns how much a linear value grows in each iteration, in bytes for a pointer; None if it is no constant."""
    if is_invariant(value, loop):
        return 0
    variable = induction_of(value, (loop,))
    if variable is not None:
        return variable.step
    if not isinstance(value, Instruction) or linear_operands(value, (loop,)) is None or not depth:
        return None
    steps = [stride(o, loop, depth - 1) for o in value.operands]
    known = [s for s in steps if s is not None]
    if len(known) < len(steps):
        return None
    match value.opcode:
        case opcode if opcode in SUMS_WITHOUT_CARRY:
            return sum(known)
        case "sub":
            return known[0] - known[1]
        case opcode if opcode in EXTENSIONS:
            return known[0]
        case opcode if opcode in SCALES:
            factor = value.operands[1]
            if not isinstance(factor, ConstantInt):
                return None
            return known[0] * (factor.value if value.opcode == "mul" else 1 << factor.value)
        case "getelementptr" if len(known) == 2:
            return known[0] + known[1] * alloc_size(value.source_type)
    return None
