"""Adjoints of integers that carry floating-point numbers: structs passed in registers, and bytes copied as integers.

The adjoint of such an integer is the adjoint of its number, or a packed struct with the adjoint of each number. Casts,
shifts and masks only move bytes. An instruction that changes bits of a number is refused.
"""

from __future__ import annotations

from ...analysis.activity.joined_words import joined_words
from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.types import Type, VectorType, alloc_size, store_size
from ...ir.values import Instruction, Value
from ..emit.moved_bits import origins, sets_sign
from ..emit.shadow_access.lost_bits import refuse_joined
from .reverse_values import ReverseValues


def adjoint_of_bit_moves(sweep: ReverseValues, i: Instruction) -> None:
    """Emits the adjoint of a cast, shift or mask: the adjoint of each number goes back to the operand it came from."""
    adjoint = sweep.take(i)
    if joined_words(i):
        refuse_joined(sweep.round, sweep.b, i, [adjoint])
        return
    for indices, leaf, offset in float_leaves(adjoint.type):
        part = sweep.b.extract_value(adjoint, *indices) if indices else adjoint
        if sets_sign(i, offset, store_size(leaf)):
            part = with_sign(sweep.b, i, sweep.of(i.operands[0]), offset, part)
            if sweep.is_active(i.operands[0]):
                _add_moved(sweep, i, i.operands[0], offset, leaf, part)
            continue
        for operand, at in origins(sweep.analyses, i, offset, alloc_size(leaf)):
            if sweep.is_active(operand):
                _add_moved(sweep, i, operand, at, leaf, part)


def with_sign(b: Builder, i: Instruction, primal: Value, offset: int, part: Value) -> Value:
    """Returns the adjoint of x for |x|, -|x| or -x: x is the number at the offset, `primal` the first operand."""
    opposite = b.fneg(part)
    if i.opcode == "xor":
        return opposite
    sign = int_constant(1 << (8 * (offset + store_size(part.type)) - 1), i.type)
    negative = b.icmp("ne", b.int_op("and", primal, sign), zero(i.type))
    first, second = (opposite, part) if i.opcode == "and" else (part, opposite)
    return b.select(negative, first, second)


def _add_moved(sweep: ReverseValues, i: Instruction, operand: Value, at: int, leaf: Type, part: Value) -> None:
    """Adds to the number at byte `at` of the operand's adjoint.

    A bitcast between vector and scalar is split by lanes.
    """
    target = sweep.activity.carriers.adjoint_type(operand)
    assert target is not None
    places = {offset: own for _, own, offset in float_leaves(target)}
    if places.get(at) == leaf:
        sweep.add_part(operand, at, leaf, part)
    elif isinstance(leaf, VectorType):
        for k in range(leaf.count):
            element = sweep.b.lane(part, k)
            _add_moved(sweep, i, operand, at + k * alloc_size(leaf.element), leaf.element, element)
    elif isinstance(target, VectorType) and target.element == leaf and i.opcode == "bitcast":
        sweep.add(operand, sweep.b.with_lane(zero(target), part, at // alloc_size(leaf)))
    else:
        raise sweep.analyses.refusal(i, "it reinterprets the bits of a number that carries a derivative")
