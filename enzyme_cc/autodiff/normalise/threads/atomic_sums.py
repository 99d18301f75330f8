"""Makes one atomic addition of a loop that adds to a number by compare-and-exchange, as flang makes it.

    %seen = load atomic i64, ptr %p
    loop:  %old = phi i64 [ %seen, … ], [ %now, %loop ]
           %sum = fadd double %part, (bitcast %old)
           cmpxchg ptr %p, i64 %old, (bitcast %sum)      again if %p holds something else, %now

In which order threads add does not matter for derivatives (rules/parallel/openmp.py); that of other updates does.
"""

from __future__ import annotations

from typing import NamedTuple

from ....ir.builder import Builder
from ....ir.instructions import FLOAT_SUMS
from ....ir.values import Function, Instruction, MemoryInfo, Value


class _Loop(NamedTuple):
    """The loop, which has no other instructions. `seen`: what the program reads before it."""

    own: list[Instruction]
    exchange: Instruction
    sum: Instruction
    part: Value
    seen: Instruction


def add_at_once(function: Function) -> None:
    """Replaces each such loop, in place."""
    for i in list(function.instructions()):
        found = _found(i) if i.opcode == "cmpxchg" else None
        if found is not None:
            _replace(found)


def _found(exchange: Instruction) -> _Loop | None:
    block, (pointer, old, new) = exchange.block, exchange.operands
    assert block is not None
    sum_ = _number_of(new)
    if not isinstance(old, Instruction) or block.phis != [old] or sum_ is None or sum_.opcode not in FLOAT_SUMS:
        return None
    sides = [side for side in (0, 1) if _number_of(sum_.operands[side]) is old]
    results = {user.indices: user for user in exchange.users if user.opcode == "extractvalue"}
    if len(results) != 2 or len(exchange.users) != 2 or not sides or (sum_.opcode == "fsub" and sides[0] == 1):
        return None
    now, is_done, end = results[(0,)], results[(1,)], block.terminator
    seen = next((value for value, source in old.incoming if source is not block), None)
    own = [old, sum_.operands[sides[0]], sum_, new, exchange, now, is_done, end]
    is_loop = end.opcode == "br" and end.operands[0] is is_done and end.successors[1:] == [block]
    is_read = isinstance(seen, Instruction) and seen.opcode == "load" and seen.operands[0] is pointer
    if not (is_loop and is_read) or set(own) != set(block.instructions) or len(old.incoming) != 2:
        return None
    if any(user not in own for i in block.instructions for user in i.users):
        return None
    assert isinstance(seen, Instruction)
    return _Loop(list(block.instructions), exchange, sum_, sum_.operands[1 - sides[0]], seen)


def _number_of(bits: Value) -> Instruction | None:
    """Returns what a cast of bits is made of, if that is an instruction."""
    if not isinstance(bits, Instruction) or bits.opcode != "bitcast":
        return None
    made = bits.operands[0]
    return made if isinstance(made, Instruction) else None


def _replace(loop: _Loop) -> None:
    end = loop.own[-1]
    b = Builder.before(end)
    info = MemoryInfo(None, loop.exchange.memory.align, "monotonic", loop.sum.opcode)
    b.insert(Instruction("atomicrmw", loop.part.type, (loop.exchange.operands[0], loop.part), info))
    b.br(end.successors[0])
    for i in loop.own:
        i.drop_operands()
    for i in loop.own:
        i.erase()
    if not loop.seen.users:
        loop.seen.erase()
