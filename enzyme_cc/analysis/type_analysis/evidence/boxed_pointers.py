"""Pointers in the fractions of NaNs: a word that is no such NaN is a number (NaN boxing, of interpreters)."""

from __future__ import annotations

from ....ir.constants import ConstantInt
from ....ir.instructions import INTEGER_SUMS, LOGIC
from ....ir.types import I64
from ....ir.value_edges import UNBOXES
from ....ir.values import Instruction

_EXPONENT = 0x7FF << 52
_ADDRESS = (1 << 47) - 1
#: constants of boxes have a tag in the high bits, and at most a small one in the low bits
_LOW_TAGS = 1 << 16
_CHANGES = LOGIC | INTEGER_SUMS


def boxes_pointer(i: Instruction) -> bool:
    """Returns whether the instruction may change an address to a NaN, or such a NaN to an address."""
    if i.opcode not in _CHANGES or i.type != I64 or not isinstance(i.operands[1], ConstantInt):
        return False
    constant = i.operands[1].value
    if i.opcode == "and":
        is_used = any(user.opcode in UNBOXES for user in i.users)
        return is_used and constant & _EXPONENT == 0 and constant & _ADDRESS > _ADDRESS >> 1
    return any(c & _EXPONENT == _EXPONENT and c & _ADDRESS < _LOW_TAGS for c in (constant, -constant))
