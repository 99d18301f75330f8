"""Notes in the primal sweep of a region which shadows its thread reaches (analysis/storage/noted_reaches.py).

For each base in a loop, the function keeps the bounds of the shadows in local variables. Where it returns, it tells the
runtime (toolchain/runtime/teams_reaches.c).
"""

from __future__ import annotations

from msgspec import Struct, field

from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.types import I64, store_size
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.signature import Form
from .frame import Frame
from .sweep import Sweep


class NotedReaches(Struct, frozen=True):
    """What one function notes: the places of the lowest and of the highest address, by the number of base and loop."""

    sweep: Sweep
    frame: Frame
    places: dict[int, tuple[Value, Value]] = field(default_factory=dict)

    def note(self, i: Instruction) -> None:
        """Emits the note of what a load or store reaches, if it is one of those that are noted."""
        sweep = self.sweep
        number = sweep.analyses.noted_accesses.get(i)
        if self.frame.form is not Form.AUGMENTED or number is None:
            return
        pointer, b = i.accessed_pointer, sweep.b
        lowest, highest = self._places(number)
        start = b.cast("ptrtoint", sweep.shadow_of(pointer), I64)
        end = b.add(start, int_constant(store_size(i.accessed_type)))
        b.store(b.call("@llvm.umin.i64", I64, (b.load(I64, lowest, 8), start)), lowest, 8)
        b.store(b.call("@llvm.umax.i64", I64, (b.load(I64, highest, 8), end)), highest, 8)

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
