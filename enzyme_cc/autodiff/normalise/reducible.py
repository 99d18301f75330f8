"""Makes irreducible control flow reducible: a cycle with several entries gets a single one, a dispatching block.

The entries of a strongly connected region are the blocks with a predecessor outside of it. All edges to entries, also
those from inside the region, are redirected to a new block, which switches to the entry. Values that are used in other
blocks are moved to memory first, because definitions do not dominate uses along the new paths. LLVM's SROA makes
registers of them again.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.cfg import ControlFlow
from ...ir.folding import int_constant
from ...ir.graphs import reachable
from ...ir.types import I32, VOID, Type
from ...ir.values import Block, Function, Instruction, MemoryInfo, Value


def make_reducible(function: Function) -> None:
    """Changes the function in place, unless it is reducible."""
    demoted = False
    while True:
        flow = ControlFlow(function)
        edges = flow.retreating_edges()
        if not edges:
            return
        if not demoted:
            _demote(function)
            demoted = True
        _dispatch_region(function, flow, edges[0])


def _dispatch_region(function: Function, flow: ControlFlow, edge: tuple[Block, Block]) -> None:
    region = _region_of(flow, edge)
    entries = [b for b in flow.order if b in region and any(p not in region for p in flow.predecessors[b])]
    hub = function.add_block()
    place = _slot(function, I32)
    number = {entry: k for k, entry in enumerate(entries)}
    for entry in entries:
        for predecessor in flow.predecessors[entry]:
            _redirect(function, predecessor, entry, hub, place, number[entry])
    b = Builder(hub)
    choice = b.load(I32, place)
    b.switch(choice, entries[0], [(number[e], e) for e in entries[1:]])


def _region_of(flow: ControlFlow, edge: tuple[Block, Block]) -> set[Block]:
    """The blocks on cycles through the edge, within the innermost natural loop around it."""
    source, target = edge
    loop = next((lp for lp in flow.loops_around(source) if target in lp.blocks), None)
    inside = loop.blocks - {loop.header} if loop is not None else set(flow.order)
    below = set(reachable([target], lambda b: [s for s in b.successors if s in inside]))
    above = set(reachable([target], lambda b: [p for p in flow.predecessors[b] if p in inside]))
    return below & above


def _redirect(function: Function, source: Block, entry: Block, hub: Block, place: Value, number: int) -> None:
    step = function.add_block()
    b = Builder(step)
    b.store(int_constant(number, I32), place)
    b.br(hub)
    terminator = source.terminator
    for k, operand in enumerate(terminator.operands):
        if operand is entry:
            terminator.set_operand(k, step)


# -- demotion of values to memory


def _slot(function: Function, type_: Type) -> Instruction:
    return Builder.first(function.entry).alloca(type_)


def _demote(function: Function) -> None:
    """Moves to memory all phis, and all values that are used in another block."""
    for block in list(function.blocks):
        for phi in block.phis:
            _demote_phi(function, phi)
    for block in list(function.blocks):
        for i in list(block.instructions):
            if i.type != VOID and i.opcode != "alloca" and any(user.block is not block for user in i.users):
                _demote_value(function, i)


def _demote_phi(function: Function, phi: Instruction) -> None:
    block = phi.block
    assert block is not None
    slot = _slot(function, phi.type)
    for value, predecessor in dict.fromkeys(phi.incoming):
        _store(Builder.before(predecessor.terminator), value, slot)
    phi.replace_uses(_load(Builder.first(block), phi.type, slot))
    phi.erase()


def _demote_value(function: Function, i: Instruction) -> None:
    block = i.block
    assert block is not None
    slot = _slot(function, i.type)
    for user in list(i.users):
        if user.block is not None and user.block is not block:
            user.replace_operand(i, _load(Builder.before(user), i.type, slot))
    _store(Builder.after(i), i, slot)


def _load(b: Builder, type_: Type, slot: Value) -> Instruction:
    return b.insert(Instruction("load", type_, (slot,), MemoryInfo(type_)))


def _store(b: Builder, value: Value, slot: Value) -> None:
    b.insert(Instruction("store", VOID, (value, slot), MemoryInfo()))
