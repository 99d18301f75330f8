"""Notes in the primal sweep of a region which shadows its thread reaches (analysis/storage/noted_reaches.py).

For each base in a loop, the function keeps the bounds of the shadows in local variables. Where it returns, it tells the
runtime (toolchain/runtime/teams_reaches.c).
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct, field

from ...analysis.integers.loops import is_invariant
from ...analysis.storage.regions import induction_of, stride
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.folding import int_constant
from ...ir.instructions import EXTENSIONS
from ...ir.types import I64, alloc_size, is_pointer, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.signature import Form
from .frame import Frame, emit_last_iteration
from .sweep import Sweep


class NotedReaches(Struct, frozen=True, dict=True):
    """What one function notes: the places of the lowest and of the highest address, by the number of base and loop."""

    sweep: Sweep
    frame: Frame
    places: dict[int, tuple[Value, Value]] = field(default_factory=dict)

    def note(self, i: Instruction) -> None:
        """Emits the note of what a load or store reaches, if it is one of those that are noted."""
        if self._takes_part(i) and i not in self._with_loops:
            start = self.sweep.b.cast("ptrtoint", self.sweep.shadow_of(i.accessed_pointer), I64)
            self._note(i, start, start)

    def enter(self, loop: Loop) -> None:
        """Emits the notes of what accesses reach in all iterations of a loop that is entered."""
        sweep, b = self.sweep, self.sweep.b
        for i in filter(self._takes_part, self._by_loop.get(loop, ())):
            count = sweep.analyses.reversal.trip_counts[loop]
            step = stride(i.accessed_pointer, loop)
            assert count is not None and step is not None
            last = emit_last_iteration(b, count, sweep.of(count.start), sweep.of(count.bound))
            first = self._at_first(i.accessed_pointer, loop)
            end = b.add(first, b.mul(last, int_constant(step)))
            self._note(i, *((first, end) if step >= 0 else (end, first)))

    @cached_property
    def _with_loops(self) -> frozenset[Instruction]:
        return frozenset(i for noted in self._by_loop.values() for i in noted)

    def _takes_part(self, i: Instruction) -> bool:
        return self.frame.form is Form.AUGMENTED and i in self.sweep.analyses.noted_accesses

    def _note(self, i: Instruction, low: Value, high: Value) -> None:
        """Emits that the thread reaches what is accessed at these addresses, and between them."""
        b = self.sweep.b
        lowest, highest = self._places(self.sweep.analyses.noted_accesses[i])
        end = b.add(high, int_constant(store_size(i.accessed_type)))
        b.store(b.call("@llvm.umin.i64", I64, (b.load(I64, lowest, 8), low)), lowest, 8)
        b.store(b.call("@llvm.umax.i64", I64, (b.load(I64, highest, 8), end)), highest, 8)

    @cached_property
    def _by_loop(self) -> dict[Loop, list[Instruction]]:
        """The accesses whose addresses grow evenly in the iterations of a loop around them, by that loop."""
        analyses, found = self.sweep.analyses, dict[Loop, list[Instruction]]()
        for i in analyses.noted_accesses:
            loop = analyses.flow.loop_of[i.block] if i.block is not None else None
            if loop is not None and analyses.reversal.trip_counts.get(loop) is not None and _is_even(i, loop):
                found.setdefault(loop, []).append(i)
        return found

    def _at_first(self, value: Value, loop: Loop) -> Value:
        """Emits what a value is in the first iteration; of a pointer, the address of the shadow (i64)."""
        sweep, b = self.sweep, self.sweep.b
        if is_invariant(value, loop):
            return b.cast("ptrtoint", sweep.shadow_of(value), I64) if is_pointer(value.type) else sweep.of(value)
        variable = induction_of(value, (loop,))
        if variable is not None:
            return sweep.of(variable.start)
        assert isinstance(value, Instruction)
        operands = [self._at_first(operand, loop) for operand in value.operands]
        if value.opcode != "getelementptr":
            return b.emit(value.opcode, value.type, operands)
        base, index = operands
        return b.add(base, b.mul(b.resize_int(index, I64, signed=True), int_constant(alloc_size(value.source_type))))

    def _places(self, number: int) -> tuple[Value, Value]:
        if number not in self.places:
            b = self.frame.prologue
            lowest, highest = b.alloca(I64, align=8), b.alloca(I64, align=8)
            b.store(int_constant(-1), lowest, 8)
            b.store(int_constant(0), highest, 8)
            self.places[number] = lowest, highest
        return self.places[number]

    def tell(self, b: Builder) -> None:
        """Emits what tells the runtime the bounds, where the function returns."""
        if not self.sweep.analyses.noted_accesses:
            return
        member, count = self.frame.arena, max(self.sweep.analyses.noted_accesses.values()) + 1
        runtime.TEAM_REACHES.call(b, member, int_constant(count))
        for number, (lowest, highest) in self.places.items():
            bounds = b.load(I64, lowest, 8), b.load(I64, highest, 8)
            runtime.TEAM_REACHED.call(b, member, int_constant(number), *bounds)


def _is_even(i: Instruction, loop: Loop) -> bool:
    """Returns whether the address of an access grows by a constant in each iteration, from one that is known before."""
    return stride(i.accessed_pointer, loop) is not None and _starts(i.accessed_pointer, loop)


def _starts(value: Value, loop: Loop) -> bool:
    """Returns whether a linear value can be computed for the first iteration."""
    if is_invariant(value, loop):
        return True
    variable = induction_of(value, (loop,))
    if variable is not None or not isinstance(value, Instruction):
        return variable is not None and not is_pointer(value.type) and is_invariant(variable.start, loop)
    is_known = len(value.operands) == 2 or value.opcode in EXTENSIONS
    return is_known and all(_starts(operand, loop) for operand in value.operands)


def is_in_zone(sweep: Sweep, i: Instruction, shadow: Value) -> Value | None:
    """Emits whether no other thread reaches the shadow of what a load reads (i64); None if that is not noted.

    Where that is known is one interval for each number. It is asked for once.
    """
    number = sweep.analyses.noted_accesses.get(i)
    if number is None:
        return None
    of_base = int_constant(number)
    start = sweep.early(("zone", number), lambda: runtime.TEAM_ZONE_START.call(sweep.b, of_base))
    size = sweep.early(("zone size", number), lambda: runtime.TEAM_ZONE_SIZE.call(sweep.b, of_base))
    b = sweep.b
    return b.cast("zext", b.icmp("ult", b.sub(b.cast("ptrtoint", shadow, I64), start), size), I64)
