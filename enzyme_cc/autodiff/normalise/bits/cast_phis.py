"""Makes phis of numbers of phis of their bits, where the function only casts these to numbers.

LLVM joins the casts of several predecessors behind the phi. The bits of a number and an integer that was computed, each
a word of a union, become one word then. Each has a cast of its own again.
"""

from __future__ import annotations

from ....ir.builder import Builder
from ....ir.types import FloatType, IntType, Type
from ....ir.values import Block, Function, Instruction, Value


def cast_before_phis(function: Function) -> None:
    """Changes the function in place."""
    phis = [i for i in function.instructions() if i.opcode == "phi" and isinstance(i.type, IntType)]
    while phis:
        phi = phis.pop()
        type_ = _cast_to(phi)
        if type_ is not None and any(_number(v) is not None for v in phi.operands[::2]):
            phis += [v for v in phi.operands[::2] if isinstance(v, Instruction) and v.opcode == "phi" and v is not phi]
            _make_number(phi, type_)


def _cast_to(phi: Instruction) -> Type | None:
    """Returns the type of number to which all users cast the phi."""
    types = {user.type if user.opcode == "bitcast" else None for user in phi.users}
    found = types.pop() if len(types) == 1 else None
    return found if isinstance(found, FloatType) else None


def _number(value: Value) -> Value | None:
    """Returns the number whose bits the value is."""
    is_cast = isinstance(value, Instruction) and value.opcode == "bitcast"
    source = value.operands[0] if isinstance(value, Instruction) and is_cast else None
    return source if source is not None and isinstance(source.type, FloatType) else None


def _make_number(phi: Instruction, type_: Type) -> None:
    incoming = []
    for value, block in zip(phi.operands[::2], phi.operands[1::2], strict=True):
        assert isinstance(block, Block)
        number = _number(value)
        if number is None or number.type != type_:
            number = Builder.before(block.terminator).cast("bitcast", value, type_)
        incoming.append((number, block))
    new = Builder.before(phi).phi(type_, incoming)
    for cast in list(phi.users):
        cast.replace_uses(new)
        cast.erase()
    phi.erase()
