"""What the reverse sweep computes with: adjoints in their slots, and values of the primal at the point being inverted.

The handlers of adjoints are given a ReverseValues; the sweep that calls them (reverse_sweep.py) extends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...analysis.storage.needs import Need, NeedKind, need_type, value_operands
from ...analysis.storage.store_log import Point
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.constants import Constant, ConstantWord
from ...ir.folding import int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.types import I8, I64, PTR, ArrayType, FunctionType, Type, alignment, is_pointer
from ...ir.values import Argument, Block, CallInfo, Instruction, Value
from ...report.diagnostics import Diagnostic
from ..core.calling_convention import Parameters
from ..emit.frame import Frame, emit_last_iteration, kept_metadata, tape_align
from ..globals.shadows import Shadows, constant_shadow
from .adjoint_homes import AdjointHomes

_RELOAD_METADATA = frozenset(["!tbaa", "!range", "!nonnull", "!noundef", "!align", "!invariant.load", "!fpmath"])


class ReverseValues:
    """Adjoints and primal values in one derivative function.

    `parameters` are those of the new function. With `rehearse`, the values collect what is `wanted` instead of using
    the plan, and `problems` instead of raising the first.
    """

    def __init__(self, frame: Frame, parameters: Parameters[Value], rehearse: bool = False) -> None:
        self.frame = frame
        self.analyses = frame.analyses
        self.round = frame.round
        self.activity = frame.analyses.activity
        self.reversal = frame.analyses.reversal
        self.recipes = frame.recipes
        self.parameters = parameters
        self.direction = 0  # the direction of vector mode that adjoints and shadows belong to
        self.rehearse = rehearse
        self.problems: list[Diagnostic] = []
        self.wanted: dict[Need, dict[Point, None]] = {}
        self.keeps = False  # whether memory that the caller sees is brought into its final state at the end
        self.static: dict[Need, Value] = {}  # needs whose value holds in every block
        for k, argument in enumerate(self.analyses.function.arguments):
            self.static[Need(NeedKind.PRIMAL, argument)] = parameters.arguments[k]
            for direction, shadow in enumerate(parameters.shadows.get(k, ())):
                self.static[Need(NeedKind.SHADOW, argument, direction)] = shadow
        self.b = frame.prologue
        self._blocks: dict[Block, Block] = {}
        self._adjoints: dict[tuple[Value, int], tuple[Value, Type]] = {}
        self._iterations: dict[Loop, Value] = {}
        self._lasts: dict[Loop, Value] = {}
        self._bases: dict[Loop, Value] = {}
        self._memo: dict[Need, Value] = {}
        self._homes = AdjointHomes(self.analyses.flow, self.reversal)
        self._scratch: Value | None = None
        self._point = Point(self.analyses.function.entry, 0)
        self.end = frame.target.add_block()

    # -- blocks, directions and iterations

    def block(self, original: Block) -> Block:
        """The reverse of a primal block."""
        if original not in self._blocks:
            self._blocks[original] = self.frame.target.add_block()
        return self._blocks[original]

    def directions(self) -> Iterator[int]:
        """Makes each direction the current one."""
        for direction in range(self.analyses.signature.directions):
            self.direction = direction
            yield direction
        self.direction = 0

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

    # -- adjoints of values

    def _adjoint_slot(self, value: Value) -> tuple[Value, Type]:
        key = value, self.direction
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
        Builder.first(self.block(home)).store(zero(type_), slot)

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
            raise self.analyses.refusal_of_value(value)
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
                raise self.analyses.refusal_of_value(i)
            part = self.b.extract_value(adjoint, *indices) if indices else adjoint
            target = places[offset, leaf]
            out = self.b.insert_value(out, part, *target) if target else part
        return out

    def is_active(self, value: Value) -> bool:
        return self.activity.active(value)

    # -- values of the primal sweep

    def primal(self, value: Value) -> Value:
        return value if isinstance(value, Constant) else self.need(Need(NeedKind.PRIMAL, value))

    def shadow(self, pointer: Value) -> Value:
        if isinstance(pointer, Constant):
            return constant_shadow(Shadows(self.round, self.direction), pointer)
        return self.need(Need(NeedKind.SHADOW, pointer, self.direction))

    def is_constant_memory(self, pointer: Value) -> Value | None:
        """With runtime activity: whether the pointer's shadow is the pointer itself; None where it surely is not."""
        if not self.round.options.runtime_activity or self.activity.has_own_shadow(pointer):
            return None
        return self.b.icmp("eq", self.shadow(pointer), self.primal(pointer))

    def need(self, need: Need) -> Value:
        """The value of a need in the iteration being inverted."""
        if need in self.static:
            return self.static[need]
        if need.kind in (NeedKind.PRIMAL, NeedKind.SHADOW) and isinstance(need.of, Constant):
            return self.primal(need.of) if need.kind is NeedKind.PRIMAL else self.shadow(need.of)
        if need in self._memo:
            return self._memo[need]
        direction = self.direction
        if need.kind is NeedKind.SHADOW:
            self.direction = need.direction
        value = self._find(need)
        self.direction = direction
        self._memo[need] = value
        return value

    def _find(self, need: Need) -> Value:
        if need.kind is NeedKind.SHADOW and isinstance(need.of, Argument):
            return self.static[Need(NeedKind.PRIMAL, need.of)]
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
            tape = self.parameters.tape
            if tape is None:
                return self.b.load(type_, self.frame.slot(need))
            prologue = self.frame.prologue
            value = self._load_tape(prologue, type_, self.frame.address(prologue, need, tape, None, None))
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
        load.metadata = self.round.scopes.of("tape")
        return load

    # -- recipes

    def _compute_primal(self, need: Need) -> Value:
        v = need.of
        assert isinstance(v, Instruction)
        if v in self.frame.plan.reread:
            return self._read_again(v, self.frame.plan.reread[v])
        if v.opcode == "phi":
            return self._compute_induction(v, self.primal(self._start(v)))
        operands = [self.primal(o) for o in value_operands(v)]
        return self._again(v, operands, True)

    def _read_again(self, value: Instruction, store: Instruction) -> Value:
        """The value, from where the store has put it."""
        load = self.b.load(value.type, self.primal(store.operands[1]), store.memory.align)
        load.metadata = self.round.scopes.of("primal")
        return load

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
            metadata = self.round.scopes.of("primal", metadata)
        return self.b.insert(Instruction(v.opcode, v.type, operands, extra, v.flags, metadata=metadata))

    def _start(self, phi: Instruction) -> Value:
        variable = self.recipes.induction(phi)
        assert variable is not None
        return variable.start

    def _compute_induction(self, phi: Instruction, start: Value) -> Value:
        variable = self.recipes.induction(phi)
        assert variable is not None and phi.block is not None
        loop = self.analyses.flow.loop_of[phi.block]
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


_COMPUTE: dict[NeedKind, Callable[[ReverseValues, Need], Value]] = {
    NeedKind.PRIMAL: ReverseValues._compute_primal,
    NeedKind.SHADOW: ReverseValues._compute_shadow,
    NeedKind.SOURCE: ReverseValues._compute_source,
    NeedKind.LAST: ReverseValues._compute_last,
}
