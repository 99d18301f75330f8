"""Integers that carry numbers: structs that the ABI packs into registers, copies of bytes through integer registers.

The adjoint of such an integer is the number itself, or a packed struct of what its bytes carry. Casts, shifts and
masks only move bytes; anything that changes bits of a number is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.builder import Builder, int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.types import Type, VectorType, alloc_size, store_size
from ...ir.values import ConstantInt, Instruction, Value

if TYPE_CHECKING:
    from ..analyses.function_analyses import Analysed
    from .reverse_values import ReverseValues


def adjoint_of_bit_moves(sweep: ReverseValues, i: Instruction) -> None:
    """Casts, shifts and masks that move the bytes of whole numbers: each goes back to where it came from."""
    adjoint = sweep.take(i)
    for indices, leaf, offset in float_leaves(adjoint.type):
        part = sweep.b.extract_value(adjoint, *indices) if indices else adjoint
        if sets_sign(i, offset, store_size(leaf)):
            part = with_sign(sweep.b, i, sweep.primal(i.operands[0]), offset, part)
            if sweep.is_active(i.operands[0]):
                _add_moved(sweep, i, i.operands[0], offset, leaf, part)
            continue
        for operand, at in origins(sweep.analysed, i, offset, alloc_size(leaf)):
            if sweep.is_active(operand):
                _add_moved(sweep, i, operand, at, leaf, part)


def sets_sign(i: Instruction, offset: int, size: int) -> bool:
    """Whether the sign bit of the number in these bytes is cleared, set or flipped, and no other."""
    mask = i.operands[-1]
    if i.opcode not in ("and", "or", "xor") or not isinstance(mask, ConstantInt):
        return False
    bits, sign = (mask.value >> 8 * offset) & _ones(size), 1 << (8 * size - 1)
    return bits == (_ones(size) ^ sign if i.opcode == "and" else sign)


def with_sign(b: Builder, i: Instruction, primal: Value, offset: int, part: Value) -> Value:
    """The adjoint of the number at the offset through |x|, -|x| or -x; `primal`: the first operand."""
    opposite = b.fneg(part)
    if i.opcode == "xor":
        return opposite
    sign = int_constant(1 << (8 * (offset + store_size(part.type)) - 1), i.type)
    negative = b.icmp("ne", b.int_op("and", primal, sign), zero(i.type))
    first, second = (opposite, part) if i.opcode == "and" else (part, opposite)
    return b.select(negative, first, second)


def origins(analysed: Analysed, i: Instruction, offset: int, size: int) -> list[tuple[Value, int]]:
    """(operand, byte offset) that the size bytes at offset of the result come from, unchanged."""
    first = i.operands[0]
    if i.opcode in ("lshr", "ashr", "shl"):
        distance = _whole_bytes(i.operands[1])
        if distance is None:
            raise analysed.refusal(i, "it shifts the bits of a number that carries a derivative")
        return [(first, offset - distance if i.opcode == "shl" else offset + distance)]
    if i.opcode == "and":
        mask = i.operands[1]
        if _is_zero_at(mask, offset, size):
            return []
        if not isinstance(mask, ConstantInt) or (mask.value >> 8 * offset) & _ones(size) != _ones(size):
            raise analysed.refusal(i, "it masks bits of a number that carries a derivative")
    if i.opcode in ("or", "xor"):
        kept = [a for a, b in (i.operands, i.operands[::-1]) if _is_zero_at(b, offset, size)]
        if not kept:
            raise analysed.refusal(i, "it changes bits of a number that carries a derivative")
        return [(kept[0], offset)]
    if i.opcode in ("add", "sub") and not _stays_below(i.operands[1], offset):
        raise analysed.refusal(i, "it computes with the bits of a number that carries a derivative")
    return [(first, offset)]


def _stays_below(amount: Value, offset: int) -> bool:
    """A constant added to an integer field below the byte: compilers see to it that nothing is carried beyond."""
    return isinstance(amount, ConstantInt) and abs(amount.value) < 1 << max(0, 8 * offset - 1)


def _ones(size: int) -> int:
    return (1 << 8 * size) - 1


def _whole_bytes(amount: Value) -> int | None:
    return amount.value // 8 if isinstance(amount, ConstantInt) and amount.value % 8 == 0 else None


def _is_zero_at(value: Value, offset: int, size: int) -> bool:
    """Whether the bytes of an integer are surely zero."""
    if isinstance(value, ConstantInt):
        return (value.value >> 8 * offset) & _ones(size) == 0
    if not isinstance(value, Instruction):
        return False
    if value.opcode == "zext":
        return offset >= store_size(value.operands[0].type)
    if value.opcode == "and":
        return _is_zero_at(value.operands[1], offset, size)
    if value.opcode in ("shl", "lshr"):
        distance = _whole_bytes(value.operands[1])
        if distance is None:
            return False
        return offset + size <= distance if value.opcode == "shl" else offset >= store_size(value.type) - distance
    return False


def _add_moved(sweep: ReverseValues, i: Instruction, operand: Value, at: int, leaf: Type, part: Value) -> None:
    """Adds to the number at byte `at` of the operand's adjoint; bitcasts between vectors and scalars split it."""
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
        raise sweep.analysed.refusal(i, "it reinterprets the bits of a number that carries a derivative")
