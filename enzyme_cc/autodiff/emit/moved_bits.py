"""Which bytes of an integer come from which operand, unchanged: casts, shifts and masks of what carries numbers."""

from __future__ import annotations

from ...ir.constants import ConstantInt
from ...ir.instructions import INTEGER_SUMS, LOGIC, LOGICAL_SHIFTS, SHIFTS
from ...ir.types import store_size
from ...ir.values import Instruction, Value
from ..analyses.function_analyses import FunctionAnalyses


def sets_sign(i: Instruction, offset: int, size: int) -> bool:
    """Returns True if the instruction changes the sign bit of the number in these bytes, and no other bit."""
    mask = i.operands[-1]
    if i.opcode not in LOGIC or not isinstance(mask, ConstantInt):
        return False
    bits, sign = (mask.value >> 8 * offset) & _ones(size), 1 << (8 * size - 1)
    return bits == (_ones(size) ^ sign if i.opcode == "and" else sign)


def origins(analyses: FunctionAnalyses, i: Instruction, offset: int, size: int) -> list[tuple[Value, int]]:
    """Returns the operands and byte offsets that `size` bytes of the result come from, unchanged.

    `offset` is where these bytes begin. The list is empty if they are zero. Raises EnzymeError if the instruction
    changes them.
    """
    first = i.operands[0]
    if i.opcode in SHIFTS:
        distance = _whole_bytes(i.operands[1])
        if distance is None:
            raise analyses.refusal(i, "it shifts the bits of a number that carries a derivative")
        return [(first, offset - distance if i.opcode == "shl" else offset + distance)]
    if i.opcode == "and":
        mask = i.operands[1]
        if _is_zero_at(mask, offset, size):
            return []
        if not isinstance(mask, ConstantInt) or (mask.value >> 8 * offset) & _ones(size) != _ones(size):
            raise analyses.refusal(i, "it masks bits of a number that carries a derivative")
    if i.opcode in LOGIC and i.opcode != "and":
        kept = [a for a, b in (i.operands, i.operands[::-1]) if _is_zero_at(b, offset, size)]
        if not kept:
            raise analyses.refusal(i, "it changes bits of a number that carries a derivative")
        return [(kept[0], offset)]
    if i.opcode in INTEGER_SUMS and not _stays_below(i.operands[1], offset):
        raise analyses.refusal(i, "it computes with the bits of a number that carries a derivative")
    return [(first, offset)]


def _stays_below(amount: Value, offset: int) -> bool:
    """True for a constant added to a field below the byte.

    Compilers make sure that the sum does not carry out of it.
    """
    return isinstance(amount, ConstantInt) and abs(amount.value) < 1 << max(0, 8 * offset - 1)


def _ones(size: int) -> int:
    return (1 << 8 * size) - 1


def _whole_bytes(amount: Value) -> int | None:
    return amount.value // 8 if isinstance(amount, ConstantInt) and amount.value % 8 == 0 else None


def _is_zero_at(value: Value, offset: int, size: int) -> bool:
    """True if the bytes of an integer are known to be zero."""
    if isinstance(value, ConstantInt):
        return (value.value >> 8 * offset) & _ones(size) == 0
    if not isinstance(value, Instruction):
        return False
    if value.opcode == "zext":
        return offset >= store_size(value.operands[0].type)
    if value.opcode == "and":
        return _is_zero_at(value.operands[1], offset, size)
    if value.opcode in LOGICAL_SHIFTS:
        distance = _whole_bytes(value.operands[1])
        if distance is None:
            return False
        return offset + size <= distance if value.opcode == "shl" else offset >= store_size(value.type) - distance
    return False
