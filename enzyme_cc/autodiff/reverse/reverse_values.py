"""The values that the reverse sweep computes with: adjoints, and values of the primal at the point that is inverted.

The handlers of adjoints are given a ReverseValues; the sweep that calls them (reverse_sweep.py) extends it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from ...analysis.storage.needs import Need, NeedKind, need_type, value_operands
from ...analysis.storage.store_log import Point
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.constants import Constant, ConstantWord
from ...ir.folding import int_constant, zero
from ...ir.types import I8, I64, PTR, FunctionType, Type, is_pointer
from ...ir.value_edges import BY_POINTER
from ...ir.values import Argument, Block, CallInfo, Instruction, Value
from ...report.diagnostics import Diagnostic
from ..core.alias_scopes import MemoryKind
from ..core.calling_convention import Parameters
from ..emit.frame import Frame, emit_last_iteration, kept_metadata, tape_align
from ..globals.shadows import Shadows, constant_shadow
from .adjoint_slots import AdjointSlots

#: what the reverse sweep in a gradient is called in debuggers, which stop in parts of a function one by one
ADJOINT = "adjoint"
_RELOAD_METADATA = frozenset(["!tbaa", "!range", "!nonnull", "!noundef", "!align", "!invariant.load", "!fpmath"])


class ReverseValues(AdjointSlots):
    """Adjoints and primal values in one derivative function.

    `parameters` are those of the new function. In a rehearsal there is no plan yet: `wanted` collects the needs, and
    `problems` collects diagnostics.
    """

    has_all_values: ClassVar[bool] = False

    def __init__(self, frame: Frame, parameters: Parameters[Value], rehearse: bool = False) -> None:
        super().__init__(frame, rehearse)
        self.recipes = frame.recipes
        self.parameters = parameters
        self.problems: list[Diagnostic] = []
        self.wanted: dict[Need, dict[Point, None]] = {}
        self.keeps = False  # True if memory that the caller sees must be restored to its final state at the end
        self.static: dict[Need, Value] = {}  # needs whose value holds in every block
        for k, argument in enumerate(self.analyses.function.arguments):
            self.static[Need(NeedKind.PRIMAL, argument)] = parameters.arguments[k]
            for direction, shadow in enumerate(parameters.shadows.get(k, ())):
                self.static[Need(NeedKind.SHADOW, argument, direction)] = shadow
        self._early: dict[tuple[object, int], Value] = {}
        self._iterations: dict[Loop, Value] = {}
        self._lasts: dict[Loop, Value] = {}
        self._bases: dict[Loop, Value] = {}
        self._memo: dict[Need | Loop | Value, Value] = {}  # needs, trips, and what slots of loops hold, in this block
        self._point = Point(self.analyses.function.entry, 0)

    # -- iterations

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
        return self._held(I64, self._iteration_slot(loop))

    def _held(self, type_: Type, slot: Value) -> Value:
        """Returns what the slot of a loop holds. It changes where the reverse of a block ends."""
        if slot not in self._memo:
            self._memo[slot] = self.b.load(type_, slot)
        return self._memo[slot]

    def _trips(self, loop: Loop) -> Value:
        if loop not in self._memo:
            last = self._held(I64, self._last_slot(loop))
            self._memo[loop] = self.b.add(last, int_constant(1), ("nuw", "nsw"))
        return self._memo[loop]

    # -- values of the primal sweep

    def of(self, value: Value) -> Value:
        return value if isinstance(value, Constant) else self.need(Need(NeedKind.PRIMAL, value))

    def shadow_of(self, value: Value) -> Value:
        if isinstance(value, Constant):
            return constant_shadow(Shadows(self.round, self.direction), value)
        return self.need(Need(NeedKind.SHADOW, value, self.direction))

    def anchor(self, pointer: Value) -> Value:
        """Returns the pointer that the address is computed from: both are their own shadows, or none is.

        The reverse sweep then needs no address in the primal, and LLVM can move the test out of loops.
        """
        anchor = address = pointer
        while isinstance(address, Instruction) and address.opcode == "getelementptr":
            base, *indices = address.operands
            if not self.activity.shadowed(base):
                break
            is_as_easy = address is anchor and all(isinstance(index, Constant) for index in indices)
            if is_as_easy or not isinstance(base, Instruction) or self._is_in_another_loop(base, pointer):
                anchor = base
            address = base
        return anchor

    def _is_in_another_loop(self, base: Instruction, pointer: Value) -> bool:
        assert isinstance(pointer, Instruction) and pointer.block is not None and base.block is not None
        loop_of = self.analyses.flow.loop_of
        return loop_of[base.block] is not loop_of[pointer.block]

    def early(self, key: object, make: Callable[[], Value]) -> Value:
        if key is None:
            return make()
        if (key, self.direction) in self._early:
            return self._early[key, self.direction]
        b, memo = self.b, self._memo
        self.b, self._memo = self.frame.prologue, {}
        value = self._early[key, self.direction] = make()
        self.b, self._memo = b, memo
        return value

    def need(self, need: Need) -> Value:
        """Returns the value of a need in the iteration that is inverted."""
        if need in self.static:
            return self.static[need]
        if need.kind in (NeedKind.PRIMAL, NeedKind.SHADOW) and isinstance(need.of, Constant):
            return self.of(need.of) if need.kind is NeedKind.PRIMAL else self.shadow_of(need.of)
        if need in self._memo:
            return self._memo[need]
        direction, target = self.direction, self.frame.target
        position = target.position
        if need.kind is NeedKind.SHADOW:
            self.direction = need.direction
        if isinstance(need.of, Instruction):
            target.come_from(need.of, ADJOINT)
        value = self._find(need)
        self.direction, target.position = direction, position
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
        base = self._held(PTR, self._base_slot(scope))
        if not self.frame.is_counted(scope):
            return self._load_tape(self.b, type_, self.frame.address(self.b, need, base, None, None))
        place = self.frame.address(self.b, need, base, self.current_iteration(scope), self._trips(scope))
        return self._load_tape(self.b, type_, place)

    def _load_tape(self, b: Builder, type_: Type, place: Value) -> Value:
        load = b.load(type_, place, tape_align(type_))
        load.metadata = self.round.scopes.of(MemoryKind.TAPE)
        return load

    # -- recipes

    def _compute_primal(self, need: Need) -> Value:
        v = need.of
        assert isinstance(v, Instruction)
        if v in self.frame.plan.reread:
            return self._read_again(v, self.frame.plan.reread[v])
        if v.opcode == "phi":
            return self._compute_induction(v, self.of(self._start(v)))
        operands = [self.of(o) for o in value_operands(v)]
        return self._again(v, operands, True)

    def _read_again(self, value: Instruction, store: Instruction) -> Value:
        """Loads the value from where the store has put it."""
        load = self.b.load(value.type, self.of(store.operands[1]), store.memory.align)
        load.metadata = self.round.scopes.of(MemoryKind.PRIMAL)
        return load

    def _compute_shadow(self, need: Need) -> Value:
        v = need.of
        assert isinstance(v, Instruction)
        carriers = self.activity.carriers
        if not self.activity.shadowed(v):
            return zero(v.type) if carriers.is_made_of_numbers(v) else self.of(v)
        if v.opcode == "phi":
            return self._compute_induction(v, self.shadow_of(self._start(v)))
        if v.opcode in BY_POINTER:
            shadow = self._again(v, [self.shadow_of(v.operands[0]), *map(self.of, v.operands[1:])], False)
            return self._looked_up_again(v, shadow) if self.recipes.may_be_recorded(v) else shadow
        operands = [
            self.shadow_of(o) if carriers.can_point(o) else zero(o.type) if carriers.moves_number(v, o) else self.of(o)
            for o in value_operands(v)
        ]
        return self._again(v, operands, False)

    def _looked_up_again(self, load: Instruction, shadow: Value) -> Value:
        pointer = load.operands[0]
        return self.memory.reloaded_shadow(load, shadow, lambda: self._again(load, [self.of(pointer)], True))

    def _again(self, v: Instruction, operands: list[Value], is_primal: bool) -> Value:
        extra = v.extra
        if isinstance(extra, CallInfo):
            operands = [*operands, v.callee]
            extra = CallInfo(
                FunctionType(v.type, extra.function_type.params), extra.argument_attributes, attributes=extra.attributes
            )
        metadata = kept_metadata(v, _RELOAD_METADATA)
        if v.opcode == "load" and is_primal:
            metadata = self.round.scopes.of(MemoryKind.PRIMAL, metadata)
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
        condition = self.of(choice.condition)
        return self.b.select(condition, int_constant(values[0], I8), int_constant(values[1], I8))

    def _compute_last(self, need: Need) -> Value:
        assert isinstance(need.of, Loop)
        count = self.reversal.trip_counts[need.of]
        assert count is not None
        return emit_last_iteration(self.b, count, self.of(count.start), self.of(count.bound))


_COMPUTE: dict[NeedKind, Callable[[ReverseValues, Need], Value]] = {
    NeedKind.PRIMAL: ReverseValues._compute_primal,
    NeedKind.SHADOW: ReverseValues._compute_shadow,
    NeedKind.SOURCE: ReverseValues._compute_source,
    NeedKind.LAST: ReverseValues._compute_last,
}
