"""How a copy, fill or reallocation is done in shadow memory: what is known of the bytes that it writes."""

from __future__ import annotations

from enum import Enum

from ....ir.constants import GlobalRef, references
from ....ir.values import Instruction, Value
from ....rules.knowledge import CalleeKind
from ...analyses.function_analyses import FunctionAnalyses
from ...core.layouts import constant_size, find_layout
from ..shadow_memory import size_operand
from .mixed_memory import Mixing, is_mixed_fill, is_mixed_target, mixing_of


class BulkWrite(Enum):
    """What is known of the bytes.

    - UNTYPED: both sweeps clear the shadow of the target, whatever it holds.
    - BY_SHADOW, BY_WORDS: they hold numbers at one time and pointers at another, and the run tells which (Mixing).
    - OVER_OTHERS: what is written is known. The memory holds something else at other times, so that is cleared.
    - TYPED: the bytes always hold the same.
    """

    UNTYPED = 0
    BY_SHADOW = 1
    BY_WORDS = 2
    OVER_OTHERS = 3
    TYPED = 4


_MIXED = {Mixing.BY_SHADOW: BulkWrite.BY_SHADOW, Mixing.BY_WORDS: BulkWrite.BY_WORDS}


def bulk_write(analyses: FunctionAnalyses, i: Instruction) -> BulkWrite:
    """Returns what is known of the bytes that a copy, fill or reallocation writes."""
    if _needs_no_type(analyses, i):
        return BulkWrite.UNTYPED
    mixing = mixing_at(analyses, i)
    if mixing is not None:
        return _MIXED[mixing]
    return BulkWrite.OVER_OTHERS if _lies_over_others(analyses, i) else BulkWrite.TYPED


def mixing_at(analyses: FunctionAnalyses, i: Instruction) -> Mixing | None:
    """Returns how the run tells what the bytes hold; None if it need not, or if it cannot."""
    if _kind(analyses, i) is CalleeKind.REALLOCATE:
        return mixing_of(analyses, [i, analyses.activity.callees.moved_from(i)], None)
    return mixing_of(analyses, pointers_of(analyses, i), size_operand(analyses.activity, i))


def pointers_of(analyses: FunctionAnalyses, i: Instruction) -> list[Value]:
    """Returns the target of a copy or fill, and the source of a copy."""
    is_copy = _kind(analyses, i) is CalleeKind.COPY
    return list(analyses.activity.callees.copy_operands(i)) if is_copy else [i.arguments[0]]


def _kind(analyses: FunctionAnalyses, i: Instruction) -> CalleeKind:
    return analyses.activity.callees.of(i).kind


def _lies_over_others(analyses: FunctionAnalyses, i: Instruction) -> bool:
    kind = _kind(analyses, i)
    if kind is CalleeKind.REALLOCATE:
        return False
    target, length = pointers_of(analyses, i)[0], size_operand(analyses.activity, i)
    if kind is CalleeKind.FILL:
        return is_mixed_fill(analyses, target, length)
    return is_mixed_target(analyses.activity.carriers, target, length)


def _needs_no_type(analyses: FunctionAnalyses, i: Instruction) -> bool:
    """Returns True if constant bytes are written to memory that only this call sees.

    Then both sweeps clear the shadow, whatever it holds. The adjoint of a number ends here. The shadow of a pointer is
    not used again, because the reverse sweep is past all instructions that follow the write. The same holds for a fill
    of memory of which nothing is known but that it is new.
    """
    kind = _kind(analyses, i)
    if kind is CalleeKind.REALLOCATE:
        return False
    target = pointers_of(analyses, i)[0]
    is_private = analyses.facts.is_private(target)
    if kind is CalleeKind.COPY:
        return is_private and _is_constant_data(analyses, pointers_of(analyses, i)[1])
    return is_private or _is_new_of_unknown_type(analyses, i, target)


def _is_constant_data(analyses: FunctionAnalyses, source: Value) -> bool:
    """Returns True for a constant variable without addresses."""
    if not isinstance(source, GlobalRef):
        return False
    variable = analyses.round.source.globals.get(source.name)
    if variable is None or not variable.constant or variable.initializer is None:
        return False
    return not any(True for _ in references(variable.initializer))


def _is_new_of_unknown_type(analyses: FunctionAnalyses, i: Instruction, target: Value) -> bool:
    """Returns True for a fill of new blocks of the heap without a layout: the layout of a pool takes long to find.

    The shadow of a block that the same round of the same loops allocated has no numbers in the primal sweep.
    """
    if not all(_is_new(analyses, i, found.value) for found in analyses.facts.objects(target)):
        return False
    return find_layout(analyses.round.types, [target], constant_size(size_operand(analyses.activity, i))) is None


def _is_new(analyses: FunctionAnalyses, i: Instruction, allocation: Value | None) -> bool:
    """Returns True if the value is a block from the heap, allocated in the loops that the instruction stands in."""
    if not isinstance(allocation, Instruction) or allocation.opcode != "call":
        return False
    if analyses.activity.callees.of(allocation).kind is not CalleeKind.ALLOCATE:
        return False
    loops = analyses.flow.loop_of
    return i.block is not None and allocation.block is not None and loops[i.block] is loops[allocation.block]
