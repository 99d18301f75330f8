"""The reverse sweep: the blocks of the primal inverted, each instruction's adjoint in reverse order.

It is emitted twice: first as a rehearsal into a scratch function, which finds out what is needed of the forward
sweep; then for good, with the plan made from that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from ...analysis.storage.needs import Need, need_type, value_operands
from ...analysis.storage.regions import Region
from ...analysis.storage.store_log import Point
from ...ir.builder import Builder, int_constant, zero
from ...ir.cfg import Loop
from ...ir.leaves import float_leaves
from ...ir.types import I8, I64, PTR, VOID, ArrayType, FunctionType, Type, alignment, is_pointer
from ...ir.values import (
    Argument,
    Block,
    CallInfo,
    Constant,
    ConstantWord,
    Function,
    Instruction,
    Value,
)
from ...report.diagnostics import Diagnostic, EnzymeError
from ..emit.frame import Frame, emit_last_iteration, kept_metadata, tape_align
from . import undo
from .adjoint_homes import AdjointHomes
from .adjoints import ADJOINTS, adjoint_of_defined_call, is_defined_call

_RELOAD_METADATA = frozenset(["!tbaa", "!range", "!nonnull", "!noundef", "!align", "!invariant.load", "!fpmath"])

#: an active phi, and its adjoint in each lane
Taken = tuple[Instruction, list[Value]]


class ReverseSweep:
    """Emits the reverse sweep into the frame's function.

    `arguments` and `shadows` (of each lane) give the new function's values for the primal's arguments; `seeds` the
    adjoints of the result; `tape` the function record (REVERSE form). `rehearse`: collect `wanted` instead of using
    the plan, and `problems` instead of raising the first.
    """

    def __init__(
        self,
        frame: Frame,
        arguments: dict[Value, Value],
        shadows: Sequence[dict[Value, Value]],
        seeds: Sequence[Value],
        rehearse: bool = False,
        tape: Value | None = None,
    ) -> None:
        self.frame = frame
        self.analysed = frame.analysed
        self.session = frame.session
        self.activity = frame.analysed.activity
        self.reversal = frame.analysed.reversal
        self.recipes = frame.recipes
        self.seeds = seeds
        self.lane = 0  # the direction of vector mode that adjoints and shadows belong to
        self.rehearse = rehearse
        self.tape = tape
        self.problems: list[Diagnostic] = []
        self.wanted: dict[Need, dict[Point, None]] = {}
        self.keeps = False  # whether memory that the caller sees is brought into its final state at the end
        self.static: dict[Need, Value] = {}  # needs whose value holds in every block
        for value, new in arguments.items():
            self.static[Need("primal", value)] = new
        for lane, of_lane in enumerate(shadows):
            for value, new in of_lane.items():
                self.static[Need("shadow", value, lane)] = new
        self.b = frame.prologue
        self._blocks: dict[Block, Block] = {}
        self._adjoints: dict[tuple[Value, int], tuple[Value, Type]] = {}
        self._iterations: dict[Loop, Value] = {}
        self._lasts: dict[Loop, Value] = {}
        self._bases: dict[Loop, Value] = {}
        self._memo: dict[Need, Value] = {}
        self._homes = AdjointHomes(self.analysed.flow, self.reversal)
        self._scratch: Value | None = None
        self._point = Point(self.analysed.function.entry, 0)
        self.end = frame.target.add_block()

    # -- driving

    def run(self) -> None:
        for block in reversed(self.reversal.visited):
            self._emit_block(block)

    def block(self, original: Block) -> Block:
        """The reverse of a primal block."""
        if original not in self._blocks:
            self._blocks[original] = self.frame.target.add_block()
        return self._blocks[original]

    def _emit_block(self, block: Block) -> None:
        self.b = Builder(self.block(block), self.session.options.fast_flags)
        self._memo = {}
        for position, instruction in reversed(list(enumerate(block.instructions))):
            self._point = Point(block, position + 1)
            if instruction.opcode == "phi":
                break
            if instruction.opcode == "ret":
                self._seed_result(instruction)
                continue
            for need in self.frame.plan.held.get(instruction, ()):
                self.need(need)
            if self.frame.plan.is_refill(instruction):
                undo.refill(self, instruction)
            if self.analysed.has_reverse_work(instruction):
                self._emit_adjoint(instruction)
            if self.frame.plan.is_logged(instruction):
                undo.put_back(self, instruction)
        self._point = Point(block, 0)
        self._leave(block)

    def lanes(self) -> Iterator[int]:
        """Makes each lane the current one."""
        for lane in range(self.analysed.signature.width):
            self.lane = lane
            yield lane
        self.lane = 0

    def _emit_adjoint(self, instruction: Instruction) -> None:
        try:
            if is_defined_call(self, instruction):
                adjoint_of_defined_call(self, instruction)
                return
            for _ in self.lanes():
                ADJOINTS[instruction.opcode](self, instruction)
        except EnzymeError as error:
            if not self.rehearse:
                raise
            self.problems += error.diagnostics

    def _seed_result(self, ret: Instruction) -> None:
        for lane in self.lanes():
            if self.seeds:
                self.add(ret.operands[0], self.seeds[lane])

    # -- control flow

    def _leave(self, block: Block) -> None:
        phis = [phi for phi in block.phis if self.activity.active(phi)]
        taken = [(phi, [self.take(phi) for _ in self.lanes()]) for phi in phis]
        sources = self.reversal.sources[block]
        if not sources:
            self.b.br(self.end)
        elif len(sources) == 1:
            self._edge(block, sources[0], taken)
        else:
            self._branch(block, sources, taken)

    def _branch(self, block: Block, sources: list[Block], taken: list[Taken]) -> None:
        b, memo = self.b, self._memo
        selector = self._selector(block)
        targets = [self.frame.target.add_block() for _ in sources]
        if len(sources) == 2:
            b.cond_br(b.icmp("eq", selector, int_constant(0, selector.type)), targets[0], targets[1])
        else:
            b.switch(selector, targets[0], list(enumerate(targets))[1:])
        for source, target in zip(sources, targets, strict=True):
            self.b = b.at(target)
            self._memo = dict(memo)
            self._edge(block, source, taken)

    def _selector(self, block: Block) -> Value:
        """0 for the first source, 1 for the second, …"""
        pair = self.reversal.leads_in_by_iteration(block)
        if pair is None:
            return self.need(Need("source", block))
        loop = self.analysed.flow.loop_of[block]
        assert loop is not None
        iteration = self.current_iteration(loop)
        if self.reversal.sources[block][0] is pair[0]:
            return iteration
        return self.b.resize_int(self.b.icmp("eq", iteration, int_constant(0)), I8)

    def _edge(self, block: Block, source: Block, taken: list[Taken]) -> None:
        """From the reverse of block to that of the block it was reached from."""
        for phi, adjoints in taken:
            incoming = next(value for value, predecessor in phi.incoming if predecessor is source)
            for lane in self.lanes():
                self.add(incoming, adjoints[lane])
        here = set(self.analysed.flow.loops_around(block))
        around = self.analysed.flow.loops_around(source)
        for loop in reversed(around):
            if loop not in here:
                self._enter_from_behind(loop)
        own = self.analysed.flow.loop_of[block]
        if own is not None and own.header is block and source in own.blocks:
            self._step_back(own)
        self.b.br(self.block(source))

    def _enter_from_behind(self, loop: Loop) -> None:
        last = self.need(Need("last", loop))
        self.b.store(last, self._iteration_slot(loop))
        if self.frame.plan.by_scope.get(loop):
            self.b.store(last, self._last_slot(loop))
            self.b.store(self.need(Need("record", loop)), self._base_slot(loop))
        for region in self._kept_at.get(loop, ()):
            undo.keep(self, region)

    def _step_back(self, loop: Loop) -> None:
        slot = self._iteration_slot(loop)
        self.b.store(self.b.sub(self.b.load(I64, slot), int_constant(1)), slot)
        if self.frame.plan.by_scope.get(loop) and not self.frame.is_counted(loop):
            base = self._base_slot(loop)
            before = self.b.load(PTR, self.b.load(PTR, base))
            before.metadata = self.session.scopes.of("tape")
            self.b.store(before, base)

    def _iteration_slot(self, loop: Loop) -> Value:
        if loop not in self._iterations:
            self._iterations[loop] = self.frame.prologue.alloca(I64)
        return self._iterations[loop]

    def _last_slot(self, loop: Loop) -> Value:
        if loop not in self._lasts:
            self._lasts[loop] = self.frame.prologue.alloca(I64)
        return self._lasts[loop]

    def _base_slot(self, loop: Loop) -> Value:
        if loop not in self._bases:
            self._bases[loop] = self.frame.prologue.alloca(PTR)
        return self._bases[loop]

    def current_iteration(self, loop: Loop) -> Value:
        return self.b.load(I64, self._iteration_slot(loop))

    @cached_property
    def _kept_at(self) -> dict[Loop, list[Region]]:
        """Regions that change in the reverse sweep, by the loop whose reverse begins with keeping them aside."""
        found: dict[Loop, list[Region]] = {}
        for region in undo.regions_kept(self):
            if region.outermost is not None:
                found.setdefault(region.outermost, []).append(region)
        return found

    # -- adjoints of values

    def _adjoint_slot(self, value: Value) -> tuple[Value, Type]:
        key = value, self.lane
        if key not in self._adjoints:
            type_ = self.activity.carriers.adjoint_type(value)
            assert type_ is not None, value
            slot = self.frame.prologue.alloca(type_, align=max(8, alignment(type_)))
            self._begin_as_zero(value, type_, slot)
            self._adjoints[key] = slot, type_
        return self._adjoints[key]

    def _begin_as_zero(self, value: Value, type_: Type, slot: Value) -> None:
        home = None if self.rehearse else self._homes.of(value)
        if home is None:
            self.frame.prologue.store(zero(type_), slot)
            return
        alone = Block()
        Builder(alone).store(zero(type_), slot)
        self.block(home).insert(0, alone.instructions[0])

    def adjoint(self, value: Value) -> Value:
        slot, type_ = self._adjoint_slot(value)
        return self.b.load(type_, slot)

    def take(self, value: Value) -> Value:
        """The adjoint of a value at its definition; the slot is zero after, for the definition executed before."""
        slot, type_ = self._adjoint_slot(value)
        adjoint = self.b.load(type_, slot)
        self.b.store(zero(type_), slot)
        return adjoint

    def add(self, value: Value, contribution: Value) -> None:
        """value's adjoint += contribution, which has its adjoint type; nothing where the value is not active."""
        if not self.activity.active(value):
            return
        for indices, leaf, offset in float_leaves(contribution.type):
            part = self.b.extract_value(contribution, *indices) if indices else contribution
            self.add_part(value, offset, leaf, part)

    def add_part(self, value: Value, offset: int, leaf: Type, contribution: Value) -> None:
        """The number at the byte offset of value's adjoint += contribution."""
        slot, type_ = self._adjoint_slot(value)
        if not any(at == offset and own == leaf for _, own, at in float_leaves(type_)):
            raise self.analysed.refusal_of_value(value)
        place = self.b.offset(slot, offset)
        align = min(8, alignment(leaf), offset & -offset or 8)
        self.b.store(self.b.fadd(self.b.load(leaf, place, align), contribution), place, align)

    def out_adjoint(self, argument: Argument) -> Value:
        """The adjoint of an OUT argument."""
        if not self.activity.active(argument):
            return zero(self.activity.carriers.adjoint_type(argument) or argument.type)
        return self.adjoint(argument)

    def scratch(self) -> Value:
        """A place for adjoints of constant memory."""
        if self._scratch is None:
            self._scratch = self.frame.prologue.alloca(ArrayType(I8, 64), align=16)
        return self._scratch

    def converted(self, i: Instruction, adjoint: Value, type_: Type) -> Value:
        """The adjoint in a type that has the same numbers at the same bytes; refused where it has not."""
        if adjoint.type == type_:
            return adjoint
        places = {(offset, leaf): indices for indices, leaf, offset in float_leaves(type_)}
        out: Value = zero(type_)
        for indices, leaf, offset in float_leaves(adjoint.type):
            if (offset, leaf) not in places:
                raise self.analysed.refusal_of_value(i)
            part = self.b.extract_value(adjoint, *indices) if indices else adjoint
            target = places[offset, leaf]
            out = self.b.insert_value(out, part, *target) if target else part
        return out

    def is_active(self, value: Value) -> bool:
        return self.activity.active(value)

    # -- values of the forward sweep

    def primal(self, value: Value) -> Value:
        return value if isinstance(value, Constant) else self.need(Need("primal", value))

    def shadow(self, pointer: Value) -> Value:
        if isinstance(pointer, Constant):
            return self.session.constant_shadow(pointer, self.lane)
        return self.need(Need("shadow", pointer, self.lane))

    def need(self, need: Need) -> Value:
        """The value of a need in the iteration being inverted."""
        if need in self.static:
            return self.static[need]
        if need.kind in ("primal", "shadow") and isinstance(need.of, Constant):
            return self.primal(need.of) if need.kind == "primal" else self.shadow(need.of)
        if need in self._memo:
            return self._memo[need]
        lane = self.lane
        if need.kind == "shadow":
            self.lane = need.lane
        value = self._find(need)
        self.lane = lane
        self._memo[need] = value
        return value

    def _find(self, need: Need) -> Value:
        if need.kind == "shadow" and isinstance(need.of, Argument):
            return self.static[Need("primal", need.of)]
        if self.rehearse:
            self.wanted.setdefault(need, {})[self._point] = None
            return ConstantWord(need_type(need), "poison")
        if self.frame.plan.is_stored(need):
            return self._load_stored(need)
        return _COMPUTE[need.kind](self, need)

    def _load_stored(self, need: Need) -> Value:
        scope = self.recipes.scope(need)
        type_ = need_type(need)
        if scope is None:
            if self.tape is None:
                return self.b.load(type_, self.frame.slot(need))
            prologue = self.frame.prologue
            value = self._load_tape(prologue, type_, self.frame.address(prologue, need, self.tape, None, None))
            self.static[need] = value
            return value
        base = self.b.load(PTR, self._base_slot(scope))
        if not self.frame.is_counted(scope):
            return self._load_tape(self.b, type_, self.frame.address(self.b, need, base, None, None))
        last = self.b.load(I64, self._last_slot(scope))
        trips = self.b.add(last, int_constant(1), ("nuw", "nsw"))
        place = self.frame.address(self.b, need, base, self.current_iteration(scope), trips)
        return self._load_tape(self.b, type_, place)

    def _load_tape(self, b: Builder, type_: Type, place: Value) -> Value:
        load = b.load(type_, place, tape_align(type_))
        load.metadata = self.session.scopes.of("tape")
        return load

    # -- recipes

    def _compute_primal(self, need: Need) -> Value:
        v = need.of
        assert isinstance(v, Instruction)
        if v in self.frame.plan.reread:
            return undo.read_again(self, v, self.frame.plan.reread[v])
        if v.opcode == "phi":
            return self._compute_induction(v, self.primal(self._start(v)))
        operands = [self.primal(o) for o in value_operands(v)]
        return self._again(v, operands, True)

    def _compute_shadow(self, need: Need) -> Value:
        v = need.of
        assert isinstance(v, Instruction)
        if not self.activity.shadowed(v):
            return self.primal(v)
        if v.opcode == "phi":
            return self._compute_induction(v, self.shadow(self._start(v)))
        if v.opcode in ("getelementptr", "load"):
            return self._again(v, [self.shadow(v.operands[0]), *map(self.primal, v.operands[1:])], False)
        can_point = self.activity.carriers.can_point
        return self._again(v, [self.shadow(o) if can_point(o) else self.primal(o) for o in value_operands(v)], False)

    def _again(self, v: Instruction, operands: list[Value], is_primal: bool) -> Value:
        extra = v.extra
        if isinstance(extra, CallInfo):
            operands = [*operands, v.callee]
            extra = CallInfo(
                FunctionType(v.type, extra.function_type.params), extra.argument_attributes, attributes=extra.attributes
            )
        metadata = kept_metadata(v, _RELOAD_METADATA)
        if v.opcode == "load" and is_primal:
            metadata = self.session.scopes.of("primal", metadata)
        return self.b.block.append(Instruction(v.opcode, v.type, operands, extra, v.flags, metadata=metadata))

    def _start(self, phi: Instruction) -> Value:
        variable = self.recipes.induction(phi)
        assert variable is not None
        return variable.start

    def _compute_induction(self, phi: Instruction, start: Value) -> Value:
        variable = self.recipes.induction(phi)
        assert variable is not None and phi.block is not None
        loop = self.analysed.flow.loop_of[phi.block]
        assert loop is not None
        iteration = self.current_iteration(loop)
        if is_pointer(phi.type):
            return self.b.offset(start, self.b.mul(iteration, int_constant(variable.step)))
        iteration = self.b.resize_int(iteration, phi.type)
        return self.b.add(start, self.b.mul(iteration, int_constant(variable.step, phi.type)))

    def _compute_source(self, need: Need) -> Value:
        block = need.of
        assert isinstance(block, Block)
        choice = self.reversal.choice(block)
        assert choice is not None
        first = choice.when_true is self.reversal.sources[block][0]
        values = (0, 1) if first else (1, 0)
        condition = self.primal(choice.condition)
        return self.b.select(condition, int_constant(values[0], I8), int_constant(values[1], I8))

    def _compute_last(self, need: Need) -> Value:
        assert isinstance(need.of, Loop)
        count = self.reversal.trip_counts[need.of]
        assert count is not None
        return emit_last_iteration(self.b, count, self.primal(count.start), self.primal(count.bound))


_COMPUTE: dict[str, Callable[[ReverseSweep, Need], Value]] = {
    "primal": ReverseSweep._compute_primal,
    "shadow": ReverseSweep._compute_shadow,
    "source": ReverseSweep._compute_source,
    "last": ReverseSweep._compute_last,
}


def scratch_function() -> Function:
    """A function to rehearse in; it is thrown away."""
    return Function("@rehearsal", FunctionType(VOID, ()), [])
