"""Makes irreducible control flow reducible: a cycle with several entries gets a single one, a dispatching block.

The entries of a strongly connected region are the blocks with a predecessor outside of it. All edges to entries, also
those from inside the region, are redirected to a new block, which switches to the entry. A value that dominates an
entry and is defined outside of the region dominates all entries. So only the phis of entries must move, to the new
block. Values that leave the new loop do so through phis, as they leave LLVM's loops (`lcssa`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.builder import Builder
from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import ConstantWord
from ...ir.edit import drop_incoming
from ...ir.folding import int_constant, zero
from ...ir.graphs import reachable
from ...ir.types import I32, Type, is_float
from ...ir.values import Block, Function, Instruction, Value


def make_reducible(function: Function) -> None:
    """Changes the function in place, unless it is reducible."""
    flow = ControlFlow(function)
    if not flow.retreating_edges():
        return
    while edges := flow.retreating_edges():
        _dispatch_region(function, flow, edges[0])
        flow = ControlFlow(function)
    while sum(_leave_through_phis(flow, loop) for loop in reversed(flow.loops)):
        pass  # a phi behind one loop may be inside of another


def _dispatch_region(function: Function, flow: ControlFlow, edge: tuple[Block, Block]) -> None:
    region = _region_of(flow, edge)
    entries = [b for b in flow.order if b in region and any(p not in region for p in flow.predecessors[b])]
    hub = function.add_block()
    steps: list[tuple[Block, Block]] = []  # to the hub, with the entry that each leads to
    for entry in entries:
        for inside in (False, True):
            sources = [p for p in flow.predecessors[entry] if (p in region) is inside]
            if sources:
                steps.append((_step(function, sources, entry, hub), entry))
    for entry in entries:
        _move_phis(entry, hub, steps)
    b = Builder(hub)
    number = {entry: int_constant(k, I32) for k, entry in enumerate(entries)}
    choice = b.phi(I32, [(number[entry], step) for step, entry in steps])
    b.switch(choice, entries[0], list(enumerate(entries))[1:])


def _region_of(flow: ControlFlow, edge: tuple[Block, Block]) -> set[Block]:
    """The blocks on cycles through the edge, within the innermost natural loop around it."""
    source, target = edge
    loop = next((lp for lp in flow.loops_around(source) if target in lp.blocks), None)
    inside = loop.blocks - {loop.header} if loop is not None else set(flow.order)
    below = set(reachable([target], lambda b: [s for s in b.successors if s in inside]))
    above = set(reachable([target], lambda b: [p for p in flow.predecessors[b] if p in inside]))
    return below & above


def _step(function: Function, sources: list[Block], entry: Block, hub: Block) -> Block:
    """Redirects the edges from the sources to the entry to a new block, and returns it. It gets phis of the entry's."""
    step = function.add_block()
    for source in sources:
        source.terminator.replace_operand(entry, step)
    for phi in entry.phis:
        incoming = [(value, p) for value, p in dict.fromkeys(phi.incoming) if p in sources]
        for source in sources:
            drop_incoming(phi, source)
        value = incoming[0][0] if len(incoming) == 1 else Builder(step).phi(phi.type, incoming)
        phi.append_operand(value)
        phi.append_operand(step)
    Builder(step).br(hub)
    return step


def _move_phis(entry: Block, hub: Block, steps: list[tuple[Block, Block]]) -> None:
    for phi in entry.phis:
        values = {step: value for value, step in phi.incoming}
        moved = Builder(hub).phi(phi.type, [(values.get(step, _nothing(phi.type)), step) for step, _ in steps])
        phi.replace_uses(moved)
        phi.erase()


def _nothing(type_: Type) -> Value:
    """A value that nobody reads. A number is defined, since adjoints may multiply with it."""
    return zero(type_) if is_float(type_) else ConstantWord(type_, "poison")


# -- values that leave loops


def _leave_through_phis(flow: ControlFlow, loop: Loop) -> bool:
    """Makes uses behind the loop, of values defined in it, uses of phis behind it. Returns whether there were any."""
    left = [(i, used) for b in loop.blocks_in_order for i in b.instructions if (used := _uses_behind(i, loop))]
    for i, used in left:
        _Leaving(flow, loop, i).replace(used)
    return bool(left)


def _uses_behind(i: Instruction, loop: Loop) -> list[tuple[Instruction, int, Block]]:
    """Returns the uses of a value outside of the loop: user, operand, and the block at whose end or in which it is."""
    uses = []
    for user in i.users:
        for k, operand in enumerate(user.operands):
            at = user.operands[k + 1] if user.opcode == "phi" and operand is i else user.block
            if operand is i and isinstance(at, Block) and at not in loop.blocks:
                uses.append((user, k, at))
    return uses


class _Leaving:
    """A value that is defined in the loop, and used behind it. It dominates all blocks from which its uses see it."""

    def __init__(self, flow: ControlFlow, loop: Loop, value: Instruction) -> None:
        self.flow = flow
        self.loop = loop
        self.value = value
        self.at: dict[Block, Value] = {}  # what it is in blocks behind the loop

    def replace(self, uses: Iterable[tuple[Instruction, int, Block]]) -> None:
        between = set(reachable([at for _, _, at in uses], self._behind))
        merging: list[Instruction] = []
        for block in sorted(between, key=self.flow.number.__getitem__):
            sources = self.flow.predecessors[block]
            if len(sources) == 1 and sources[0] not in self.loop.blocks:
                self.at[block] = self.at[sources[0]]
            else:
                merging.append(Builder(block).phi(self.value.type))
                self.at[block] = merging[-1]
        for phi in merging:
            assert phi.block is not None
            for source in self.flow.predecessors[phi.block]:
                phi.append_operand(self.at.get(source, self.value))
                phi.append_operand(source)
        for user, k, at in uses:
            user.set_operand(k, self.at[at])
        self._drop_needless(merging)

    def _behind(self, block: Block) -> list[Block]:
        return [p for p in self.flow.predecessors[block] if p not in self.loop.blocks]

    def _drop_needless(self, phis: list[Instruction]) -> None:
        """Drops phis to which only one value comes from behind the loop."""
        changed = True
        while changed:
            changed = False
            for phi in list(phis):
                merged = {value for value in phi.operands[::2] if value is not phi}
                if len(merged) == 1 and self.value not in merged:
                    phi.replace_uses(merged.pop())
                    phi.erase()
                    phis.remove(phi)
                    changed = True
