"""Tells where adjoints of values are set to zero, and which need not be added to.

For each value, this chooses the block of the reverse sweep (its home) in which its adjoint is set to zero.

All adjoints could begin at the function's entry. But then each would be live from there to its first use, and LLVM
takes quadratic time to put them into registers. So an adjoint begins in the last block of the reverse sweep that
dominates the adjoints of all uses of the value.
"""

from __future__ import annotations

from functools import cached_property

from ...analysis.storage.reversal import Reversal
from ...ir.cfg import ControlFlow, Loop
from ...ir.graphs import Dominators, reachable, reverse_postorder_from
from ...ir.values import Block, Instruction, Value


class AdjointHomes:
    """How adjoints begin, for one function."""

    def __init__(self, flow: ControlFlow, reversal: Reversal) -> None:
        self.flow = flow
        self.reversal = reversal
        self._missed: dict[tuple[Block, Block], bool] = {}

    def of(self, value: Value) -> Block | None:
        """Returns the primal block whose reverse begins with a zero adjoint. None stands for the function's entry.

        The block is in the innermost loop of the definition, and no use comes after it in an iteration. So in the
        reverse sweep it comes before the adjoints of all uses, and never between one of them and that of the
        definition. The result is None if another iteration uses the value: in a phi of the loop's header, or after the
        loop. So it is if the loop has several exits, and the reverse sweep may enter it by one that does not lead
        through the block.
        """
        if not isinstance(value, Instruction) or value.block is None or value.block not in self._tree.number:
            return None
        definition = value.block
        loop = self.flow.loop_of[definition]
        uses = {user.block for user in value.users if user.block is not None and user.block in self._tree.number}
        if loop is not None and not uses <= loop.blocks:
            return None
        if loop is not None and any(user.opcode == "phi" and user.block is loop.header for user in value.users):
            return None
        home: Block | None = definition
        for use in uses:
            home = self._tree.common(home, use)
        while home is not None and self.flow.loop_of[home] is not loop:
            home = self._tree.idom[home]
        number = self.flow.number
        if home is None or any(number[home] < number[use] for use in uses):
            return None
        return None if loop is not None and self._is_missed(home, definition, loop) else home

    def _is_missed(self, home: Block, definition: Block, loop: Loop) -> bool:
        """Returns whether the reverse sweep may come to a block again without its home."""
        if home is definition or len({source for source, _ in loop.exit_edges}) < 2:
            return False
        if (home, definition) not in self._missed:
            sources = self.reversal.sources
            around = reachable(sources[definition], lambda b: () if b in (home, definition) else sources[b])
            self._missed[home, definition] = definition in around
        return self._missed[home, definition]

    def has_one_use(self, value: Value) -> bool:
        """Returns whether each computation of the value has at most one use.

        So its adjoint is zero before this use adds to it.
        """
        if not isinstance(value, Instruction) or value.block is None or len(value.users) != 1:
            return False
        blocks, loop_of = _using_blocks(value, next(iter(value.users))), self.flow.loop_of
        return all(block in loop_of and loop_of[block] is loop_of[value.block] for block in blocks)

    def use_that_follows(self, value: Value) -> Instruction | None:
        """Returns the one use of a value if it is a phi in the only block that follows.

        A phi of a loop may also get the value from later iterations. This is more than one use.
        """
        if not self.has_one_use(value):
            return None
        assert isinstance(value, Instruction) and value.block is not None
        user = next(iter(value.users))
        return user if user.opcode == "phi" and value.block.successors == [user.block] else None

    @cached_property
    def _tree(self) -> Dominators[Block | None]:
        """The dominator tree of the reverse sweep. None is its entry, which leads to the reverse of every return."""
        sources = self.reversal.sources

        def following(block: Block | None) -> list[Block]:
            return self.reversal.returns if block is None else sources[block]

        order = reverse_postorder_from(None, following)
        predecessors: dict[Block | None, list[Block | None]] = {block: [] for block in order}
        for block in order:
            for successor in following(block):
                predecessors[successor].append(block)
        return Dominators(order, predecessors)


def _using_blocks(value: Instruction, user: Instruction) -> list[Block]:
    """Returns the blocks at whose end, for a phi, or in which the value is used."""
    if user.opcode == "phi":
        return [source for incoming, source in user.incoming if incoming is value]
    return [user.block] if user.block is not None else []
