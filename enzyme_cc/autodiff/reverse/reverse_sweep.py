"""The reverse sweep: it inverts the control flow of the primal and emits the adjoints of instructions in reverse order.

It runs twice. The first run is a rehearsal into a scratch function: it finds the values that the primal sweep must
provide. The second run uses the plan that is made from these needs.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.storage.batched_loops import batched_loads
from ...analysis.storage.masked_loops import Mask, masked_loops
from ...analysis.storage.needs import Need, NeedKind
from ...analysis.storage.regions import Region
from ...analysis.storage.store_log import Point
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.folding import int_constant, zero
from ...ir.types import I1, I8, I64, PTR, VOID, FunctionType, is_pointer
from ...ir.values import Block, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ..core.alias_scopes import MemoryKind
from ..emit.batches import Batch
from . import undo
from .adjoints import emit_adjoint
from .reverse_values import ADJOINT, ReverseValues

#: an active phi, and its adjoint in each direction
Taken = tuple[Instruction, list[Value]]


class _Way(Struct, frozen=True):
    """The way from the reverse of a block to the reverse of a predecessor.

    `number`: of the predecessor, among all. `stepped`: the loop whose next earlier iteration it leads to. `entered`:
    the loops that it leads into then, from behind; outermost first.
    """

    number: int
    source: Block
    stepped: Loop | None
    entered: list[Loop]

    @property
    def next_entered(self) -> Loop | None:
        """The loop that other ways may enter together with this one."""
        return self.entered[0] if self.entered and self.stepped is None else None

    def inside(self) -> _Way:
        """Returns the rest of the way, in that loop."""
        return replace(self, entered=self.entered[1:])


class ReverseSweep(ReverseValues):
    """Emits the reverse sweep into the frame's function."""

    def run(self) -> None:
        for block in reversed(self.reversal.visited):
            self._emit_block(block)

    def _emit_block(self, block: Block) -> None:
        self.b = Builder(self.block(block), self.round.options.fast_flags)
        self._memo = {}
        batch = self._batches.get(block)
        for position, instruction in reversed(list(enumerate(block.instructions))):
            self._point = Point(block, position + 1)
            self.frame.target.come_from(instruction, ADJOINT)
            if instruction.opcode == "phi":
                break
            if instruction.opcode == "ret":
                self._seed_result(instruction)
                continue
            for need in self.frame.plan.held.get(instruction, ()):
                self.need(need)
            if self.frame.plan.is_refill(instruction):
                undo.refill(self, instruction)
            if instruction in self._mask_slots:
                self._store_mask(instruction)
            if batch is not None and instruction in batch.loads:
                self._keep_in_batch(instruction, batch)
            elif self.analyses.has_reverse_work(instruction):
                self._emit_adjoint(instruction)
            if self.frame.plan.is_logged(instruction):
                undo.put_back(self, instruction)
        self._point = Point(block, 0)
        self._leave(block)

    def _keep_in_batch(self, load: Instruction, batch: Batch) -> None:
        for _ in self.directions():
            place, metadata = self.memory.place_to_add(load)
            batch.keep(self.b, place, self.take(load), load.memory.align, metadata)

    def _store_mask(self, select: Instruction) -> None:
        """Stores the condition of a select: as if it had kept the other value, if a later iteration took another."""
        condition = self.of(select.operands[0])
        if select in self._running_slots:
            mask, slot = self._running_slots[select]
            is_running, other = self.b.load(I1, slot), int_constant(int(not mask.taken), I1)
            condition = self.b.select(is_running, condition, other)
            self.b.store(self.b.select(self.b.icmp("eq", condition, other), is_running, int_constant(0, I1)), slot)
        self.b.store(condition, self._mask_slots[select])

    def _emit_adjoint(self, instruction: Instruction) -> None:
        try:
            emit_adjoint(self, instruction)
        except EnzymeError as error:
            if not self.rehearse:
                raise
            self.problems += error.diagnostics

    def _seed_result(self, ret: Instruction) -> None:
        seeds = self.parameters.seeds
        for direction in self.directions() if seeds else ():
            self.add(ret.operands[0], seeds[direction])

    # -- control flow

    def _leave(self, block: Block) -> None:
        phis = [phi for phi in block.phis if self.activity.active(phi)]
        taken = [(phi, [self.take(phi) for _ in self.directions()]) for phi in phis]
        ways = [self._way(block, number, source) for number, source in enumerate(self.reversal.sources[block])]
        batch = self._batches.get(block)
        if batch is not None:
            self._leave_batch(batch, ways, taken)
        elif not ways:
            self.store_sums()
            self.b.br(self.end)
        elif len(ways) == 1:
            self._edge(ways[0], taken)
        else:
            self.store_sums()
            self._branch(self._selector(block), ways, taken)

    def _leave_batch(self, batch: Batch, ways: list[_Way], taken: list[Taken]) -> None:
        """Goes on to the next iteration. Where the loop is left, what sums begin with gets their adjoint."""
        before = next(way for way in ways if way.stepped is None)
        following = [value for phi, _ in taken for value, source in phi.incoming if source is not before.source]
        for value, (_, adjoints) in zip(following, taken, strict=True):
            for direction in self.directions():
                self.add(value, adjoints[direction])
        self.store_sums()
        self.b, self._memo = batch.leave(self.b), {}
        for value in following:
            for _ in self.directions():
                self.clear_adjoint(value)
        self._edge(before, taken)

    def _way(self, block: Block, number: int, source: Block) -> _Way:
        here, own = set(self.analyses.flow.loops_around(block)), self.analyses.flow.loop_of[block]
        entered = [loop for loop in reversed(self.analyses.flow.loops_around(source)) if loop not in here]
        is_back = own is not None and own.header is block and source in own.blocks
        return _Way(number, source, own if is_back else None, entered)

    def _branch(self, selector: Value, ways: list[_Way], taken: list[Taken]) -> None:
        """Emits the branch to the predecessors. Loops that several of them are in are entered once for these."""
        groups = _by_loop(ways)
        while len(groups) == 1:
            self._enter_from_behind(ways[0].entered[0])
            ways = [way.inside() for way in ways]
            groups = _by_loop(ways)
        b, memo, point = self.b, self._memo, self._point
        targets = [(self.frame.target.add_block(), group) for group in groups]
        first = targets[0][0]
        if len(ways) == 2:
            is_first = b.icmp("eq", selector, int_constant(ways[0].number, selector.type))
            b.cond_br(is_first, first, targets[1][0])
        else:
            b.switch(selector, first, [(way.number, target) for target, group in targets[1:] for way in group])
        for target, group in targets:
            self.b = b.at(target)
            self._memo, self._point = dict(memo), point
            if len(group) == 1:
                self._edge(group[0], taken)
            else:
                self._branch(selector, group, taken)

    def _selector(self, block: Block) -> Value:
        """Returns the number of the predecessor that control came from, as an index into the sources."""
        pair = self.reversal.leads_in_by_iteration(block)
        if pair is None:
            return self.need(Need(NeedKind.SOURCE, block))
        loop = self.analyses.flow.loop_of[block]
        assert loop is not None
        iteration = self.current_iteration(loop)
        if self.reversal.sources[block][0] is pair[0]:
            return iteration
        return self.b.resize_int(self.b.icmp("eq", iteration, int_constant(0)), I8)

    def _edge(self, way: _Way, taken: list[Taken]) -> None:
        """Emits the rest of a way, to the reverse of the predecessor."""
        for phi, adjoints in taken:
            incoming = next(value for value, predecessor in phi.incoming if predecessor is way.source)
            for direction in self.directions():
                self.add(incoming, adjoints[direction])
        if way.stepped is not None:
            self._step_back(way.stepped)
            self._memo, self._point = {}, Point(way.source, len(way.source.instructions))
        elif way.entered and way.entered[0] in self._masks:
            self._leave_out(way.entered[0], self._masks[way.entered[0]])
        for loop in way.entered:
            self._enter_from_behind(loop)
        self.store_sums()
        batch = self._batches.get(way.source) if way.entered else None
        self.b.br(self.block(way.source) if batch is None else batch.head)

    def _leave_out(self, loop: Loop, mask: Mask) -> None:
        """Goes on to what comes before the loop in the primal, unless the select took the loop's result."""
        self.store_sums()
        b, memo, point = self.b, self._memo, self._point
        inside, beyond = self.frame.target.add_block(), self.frame.target.add_block()
        was_true = b.load(I1, self._mask_slots[mask.select])
        b.cond_br(was_true, *((inside, beyond) if mask.taken else (beyond, inside)))
        self.b, self._memo = b.at(beyond), dict(memo)
        phis = [phi for phi in loop.header.phis if self.activity.active(phi)]
        nothing: list[Taken] = [(phi, [zero(self._type(phi)) for _ in self.directions()]) for phi in phis]
        number = self.reversal.sources[loop.header].index(mask.before)
        self._edge(self._way(loop.header, number, mask.before), nothing)
        self.b, self._memo, self._point = b.at(inside), memo, point

    def _enter_from_behind(self, loop: Loop) -> None:
        last = self.need(Need(NeedKind.LAST, loop))
        batch = self._batches.get(loop.header)
        if batch is not None:
            batch.enter(self.b, last)
        else:
            self.b.store(last, self._iteration_slot(loop))
        for mask, slot in self._running_slots.values():
            if mask.around is loop:
                self.b.store(int_constant(1, I1), slot)
        if self.frame.plan.by_scope.get(loop):
            self.b.store(last, self._last_slot(loop))
            self.b.store(self.need(Need(NeedKind.RECORD, loop)), self._base_slot(loop))
        for region in self._kept_at.get(loop, ()):
            undo.keep(self, region)

    def _step_back(self, loop: Loop) -> None:
        slot = self._iteration_slot(loop)
        self.b.store(self.b.sub(self.b.load(I64, slot), int_constant(1)), slot)
        if self.frame.plan.by_scope.get(loop) and not self.frame.is_counted(loop):
            base = self._base_slot(loop)
            before = self.b.load(PTR, self.b.load(PTR, base))
            before.metadata = self.round.scopes.of(MemoryKind.TAPE)
            self.b.store(before, base)

    # -- loops in batches

    @cached_property
    def _batches(self) -> dict[Block, Batch]:
        """Returns the loops whose reverse runs in batches, by their one block."""
        options, frame = self.round.options, self.frame
        if not options.is_last or options.separate_additions or self.analyses.signature.team:
            return {}
        loops = ((loop, self._loads(loop)) for loop in self.reversal.loops if self._may_be_batched(loop))
        return {
            loop.header: Batch(
                frame.target, frame.prologue, self.block(loop.header), self._iteration_slot(loop), frozenset(loads)
            )
            for loop, loads in loops
            if loads
        }

    def _may_be_batched(self, loop: Loop) -> bool:
        """True if the loop's iterations are numbered, and the reverse sweep does nothing but adjoints in them."""
        plan = self.frame.plan
        is_masked = loop in self._masks or any(i in self._mask_slots for i in loop.header.instructions)
        undone = (plan.is_logged(i) or plan.is_refill(i) or i in plan.held for i in loop.header.instructions)
        return self.frame.is_counted(loop) and not loop.children and not is_masked and not any(undone)

    def _loads(self, loop: Loop) -> list[Instruction]:
        return batched_loads(
            loop,
            self.analyses.has_reverse_work,
            self._has_pure_adjoint,
            self.memory.is_plain,
            self.analyses.facts.may_alias,
        )

    def _has_pure_adjoint(self, i: Instruction) -> bool:
        """True for a call whose adjoint is arithmetic alone."""
        rule = self.activity.callees.of(i).rule if i.is_call else None
        return rule is not None and not rule.outputs and not any(is_pointer(a.type) for a in i.arguments)

    @cached_property
    def _masks(self) -> dict[Loop, Mask]:
        return masked_loops(self.analyses.flow, self.reversal, self.activity.active)

    @cached_property
    def _mask_slots(self) -> dict[Instruction, Value]:
        """Returns where the reverse sweep keeps the condition of each select that masks a loop."""
        selects = dict.fromkeys(mask.select for mask in self._masks.values())
        return {select: self.frame.prologue.alloca(I1) for select in selects}

    @cached_property
    def _running_slots(self) -> dict[Instruction, tuple[Mask, Value]]:
        """Returns where the reverse sweep notes that no later iteration has replaced what a select keeps."""
        running = {mask.select: mask for mask in self._masks.values() if mask.around is not None}
        return {select: (mask, self.frame.prologue.alloca(I1)) for select, mask in running.items()}

    @cached_property
    def _kept_at(self) -> dict[Loop, list[Region]]:
        """Regions that the reverse sweep changes, by the loop before whose reverse they are copied aside."""
        found: dict[Loop, list[Region]] = {}
        for region in undo.regions_kept(self):
            if region.outermost is not None:
                found.setdefault(region.outermost, []).append(region)
        return found


def _by_loop(ways: list[_Way]) -> list[list[_Way]]:
    """Returns the ways, with those together that enter the same loop next."""
    groups: dict[Loop | Block, list[_Way]] = {}
    for way in ways:
        groups.setdefault(way.source if way.next_entered is None else way.next_entered, []).append(way)
    return list(groups.values())


def scratch_function() -> Function:
    """Returns the function of a rehearsal, which is thrown away."""
    return Function("@rehearsal", FunctionType(VOID, ()), [])
