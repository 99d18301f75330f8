"""Finds loops whose reverse is left out if a select did not take what they computed.

    for (c = 0; c < k; c++) {
      double d = distance(c);             // a loop
      nearest = d < nearest ? d : nearest;
    }

If the select takes its other operand, the adjoint of the loop's result is zero, and so is all that its reverse adds.
The test is the condition of the select, not the adjoint: an adjoint that happens to be zero may have a derivative.

`nearest` runs through the outer loop: nothing else uses it there. So its last replacement takes the adjoint, and
replacements in earlier iterations have none, whatever the condition was.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from msgspec import Struct

from ...ir.cfg import ControlFlow, Loop
from ...ir.instructions import ACCESSES, BRANCHES, MAKES_VALUE, PURE
from ...ir.types import I1
from ...ir.values import Block, Instruction, Value
from ...rules.library_functions import is_pure
from .reversal import Reversal

_QUIET = MAKES_VALUE | BRANCHES | (ACCESSES - {"store"})

#: whether an instruction has an adjoint
Active = Callable[[Value], bool]


class Mask(Struct, frozen=True):
    """The select takes the loop's result if its condition is `taken`. `before` is the block that leads to the loop.

    `around` is the loop around this one if the select's result only runs through it: the last result taken counts.
    """

    select: Instruction
    taken: bool
    before: Block
    around: Loop | None


def masked_loops(flow: ControlFlow, reversal: Reversal, active: Active) -> dict[Loop, Mask]:
    """Returns the loops with one exit that write no memory, and whose one active result only a select uses.

    The select follows in any case. So all that the reverse of the loop adds is a multiple of the select's adjoint.
    """
    found = {}
    for loop in reversal.loops:
        mask = _mask(loop, flow, reversal, active)
        if mask is not None:
            found[loop] = mask
    return found


def _mask(loop: Loop, flow: ControlFlow, reversal: Reversal, active: Active) -> Mask | None:
    before = [source for source in reversal.sources.get(loop.header, ()) if source not in loop.blocks]
    if len(loop.exit_edges) != 1 or len(before) != 1 or flow.loop_of[before[0]] is not loop.parent:
        return None
    inside = [i for block in loop.blocks for i in block.instructions]
    results = [i for i in inside if active(i) and any(user.block not in loop.blocks for user in i.users)]
    if len(results) != 1 or not all(map(_is_quiet, inside)):
        return None
    (value,), blocks = results, _followers(loop, flow)
    users = _users(value, active, loop.blocks)
    while len(users) == 1 and users[0].opcode == "phi" and users[0].block in blocks:
        value = users[0]
        users = _users(value, active)
    if len(users) != 1 or users[0].opcode != "select" or users[0].block not in blocks:
        return None
    condition, *sides = users[0].operands
    if condition.type != I1 or sum(side is value for side in sides) != 1:
        return None
    taken = sides[0] is value
    around = loop.parent if loop.parent and _runs(users[0], sides[taken], loop.parent, active) else None
    return Mask(users[0], taken, before[0], around)


def _runs(select: Instruction, kept: Value, loop: Loop, active: Active) -> bool:
    """Returns whether the select keeps what it was in the iteration before, and nothing in the loop uses that."""
    if not isinstance(kept, Instruction) or kept not in loop.header.phis:
        return False
    following = [value for value, source in kept.incoming if source in loop.blocks]
    outside = {user.block for value in (select, kept) for user in value.users} - set(loop.blocks)
    return (
        all(value is select for value in following)
        and _users(kept, active, outside) == [select]
        and _users(select, active, outside) == [kept]
    )


def _users(value: Instruction, active: Active, but: Container[Block | None] = ()) -> list[Instruction]:
    """Returns the users of a value outside of some blocks, without those that have no adjoint."""
    users = [user for user in value.users if user.block not in but]
    return [user for user in users if user.opcode not in PURE or active(user)]


def _followers(loop: Loop, flow: ControlFlow) -> list[Block]:
    """Returns the blocks in the loop around this one that control goes through in any case after it."""
    found: list[Block] = []
    block = loop.exit_edges[0][1]
    while flow.loop_of.get(block) is loop.parent and not (loop.parent and block is loop.parent.header):
        if block in found:
            break
        found.append(block)
        if len(block.successors) != 1:
            break
        block = block.successors[0]
    return found


def _is_quiet(i: Instruction) -> bool:
    """True for what writes no memory, and whose reverse does nothing but add to adjoints."""
    if i.opcode == "call":
        return i.callee_name.startswith("@") and is_pure(i.callee_name[1:])
    return i.opcode in _QUIET and not (i.opcode == "load" and i.flags)
