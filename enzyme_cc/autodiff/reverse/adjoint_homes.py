"""Where in the reverse sweep the adjoint of a value begins as zero.

Beginning all of them at the function's entry is right, but each is then alive from there to its first use, through
every block between: LLVM takes quadratic time to make registers of them. So an adjoint begins in the last block of the
reverse sweep that comes before all of the value's uses: in primal terms, the nearest one that all uses lead to.
"""

from __future__ import annotations

from functools import cached_property

from ...analysis.storage.reversal import Reversal
from ...ir.cfg import ControlFlow
from ...ir.graphs import Dominators, reverse_postorder_from
from ...ir.values import Block, Instruction, Value


class AdjointHomes:
    """Finds these blocks, for one function."""

    def __init__(self, flow: ControlFlow, reversal: Reversal) -> None:
        self.flow = flow
        self.reversal = reversal

    def of(self, value: Value) -> Block | None:
        """The block at the start of whose reverse the adjoint is zero; None for the entry of the function.

        In the reverse sweep it comes before all uses, and between none of them and the definition: it is in the
        innermost loop of the definition, and within an iteration no use comes after it. Only uses of the same iteration
        are understood, so none by a phi in that loop's header, and none behind the loop.
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
        return None if home is None or any(number[home] < number[use] for use in uses) else home

    @cached_property
    def _tree(self) -> Dominators[Block | None]:
        """Of the reverse sweep's own control flow, in which None leads to the reverse of every return."""
        sources = self.reversal.sources

        def following(block: Block | None) -> list[Block]:
            return self.reversal.returns if block is None else sources[block]

        order = reverse_postorder_from(None, following)
        predecessors: dict[Block | None, list[Block | None]] = {block: [] for block in order}
        for block in order:
            for successor in following(block):
                predecessors[successor].append(block)
        return Dominators(order, predecessors)
