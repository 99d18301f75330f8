"""Integers that hold the same bits several times become `or`s of shifted bits, as other packed words are.

LLVM makes a product of the pair `{x, x}`: bits * 0x100000001. No derivative goes through integer arithmetic.
"""

from __future__ import annotations

from functools import partial, reduce

from ....ir.builder import Builder
from ....ir.constants import ConstantInt
from ....ir.folding import int_constant
from ....ir.types import IntType
from ....ir.values import Function, Instruction, Value

_DISJOINT = ("disjoint",)


def pack_repeated_bits(function: Function) -> None:
    """Replaces each product that repeats the bits of an extended integer, in place."""
    for i in list(function.instructions()):
        places = _places(i) if i.opcode == "mul" else []
        if len(places) > 1:
            b = Builder.before(i)
            word = i.operands[0]
            copies = [b.int_op("shl", word, int_constant(at, i.type), ("nuw",)) if at else word for at in places]
            i.replace_uses(reduce(partial(b.int_op, "or", flags=_DISJOINT), copies))
            i.erase()


def _places(product: Instruction) -> list[int]:
    """Returns at which bits copies of the extended integer begin; none if they overlap."""
    extended, factor = product.operands
    narrow = _narrow(extended)
    if narrow is None or not isinstance(factor, ConstantInt) or not isinstance(product.type, IntType):
        return []
    places = [at for at in range(product.type.bits) if factor.value >> at & 1]
    is_apart = all(at % narrow.bits == 0 and at + narrow.bits <= product.type.bits for at in places)
    return places if is_apart else []


def _narrow(value: Value) -> IntType | None:
    """Returns the type of the integer that is extended by zeros."""
    if not isinstance(value, Instruction) or value.opcode != "zext":
        return None
    type_ = value.operands[0].type
    return type_ if isinstance(type_, IntType) and type_.bits % 8 == 0 else None
