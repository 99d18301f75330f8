"""What the reverse sweep needs of the primal sweep, and from which source each such value comes.

A need names one value of the primal sweep, as it was in the iteration that the reverse sweep is inverting. A need is
*free* (an argument, a constant, a static alloca), *computed* again from other needs (a recipe), or *stored* by the
primal sweep. A load is a recipe where nothing overwrites the memory, or where what does is logged: the log of a write
(store_log.py) is a need that can only be stored. store_or_recompute.py chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant
from ...ir.instructions import PURE
from ...ir.types import I8, I32, I64, PTR, Type
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...rules.costs import is_cheap
from ..activity.activity import Activity
from ..callees import CalleeKind, plain_name
from ..integers.loops import Induction, induction
from .reversal import Reversal
from .store_log import StoreLog


class Need(NamedTuple):
    """kind and what it is of:

    primal, shadow: a value; source: a block (index into Reversal.sources); last: a loop (its last iteration number);
    record: a loop (where its tape is); tape: a call (the callee's tape); size: a reallocation (bytes moved);
    bytes: a copy (what the shadow of its source held); log: a write (what it overwrote, or where a copy of that is);
    refill: a copy (its source holds again what it copied, from the reverse of the copy on; never stored);
    exit: None (index of the return block).

    In vector mode each direction has shadows, and bytes, of its own.
    """

    kind: str
    of: Value | Loop | None
    direction: int = 0


def need_type(need: Need) -> Type:
    if need.kind in ("primal", "shadow"):
        assert isinstance(need.of, Value)
        return need.of.type
    if need.kind == "source" and isinstance(need.of, Block) and len(need.of.users) > 100:
        return I32
    if need.kind == "log":
        assert isinstance(need.of, Instruction)
        return need.of.operands[0].type if need.of.opcode == "store" else PTR
    return {"source": I8, "last": I64, "record": PTR, "tape": PTR, "size": I64, "bytes": PTR, "exit": I8, "refill": I8}[
        need.kind
    ]


#: instructions whose result depends on their operands alone, and that cost little
_RECOMPUTABLE = PURE - {"frem"}
_SHADOW_COPIES = frozenset(
    "select bitcast ptrtoint inttoptr addrspacecast extractvalue extractelement shufflevector freeze".split()
)


class Recipes:
    """How each need can be computed from others. `intact(load)`: its memory is still the same in reverse;
    `shadows_stay`: so are the pointers in its shadow, which a reverse sweep may clear."""

    def __init__(
        self,
        function: Function,
        flow: ControlFlow,
        activity: Activity,
        reversal: Reversal,
        intact: Callable[[Instruction], bool],
        log: StoreLog,
        split: bool,
        shadows_stay: bool = True,
    ) -> None:
        self.function = function
        self.flow = flow
        self.activity = activity
        self.reversal = reversal
        self.shadows_stay = shadows_stay
        self.intact = intact
        self.log = log
        self.split = split
        self._inductions: dict[Instruction, Induction | None] = {}

    def scope(self, need: Need) -> Loop | None:
        """The innermost loop in each of whose iterations the need has one value."""
        if need.kind in ("last", "record"):
            assert isinstance(need.of, Loop)
            return need.of.parent
        if isinstance(need.of, Block):
            return self.flow.loop_of[need.of]
        if isinstance(need.of, Instruction) and need.of.block is not None:
            return self.flow.loop_of[need.of.block]
        return None

    def induction(self, phi: Instruction) -> Induction | None:
        if phi not in self._inductions:
            assert phi.block is not None
            loop = self.flow.loop_of[phi.block]
            found = induction(phi, loop) if loop is not None and loop.header is phi.block else None
            self._inductions[phi] = found
        return self._inductions[phi]

    def is_free(self, need: Need) -> bool:
        value = need.of
        if need.kind not in ("primal", "shadow"):
            return False
        if isinstance(value, Constant | Argument):
            return True
        return isinstance(value, Instruction) and not self.split and self.is_static_alloca(value)

    def is_static_alloca(self, value: Instruction) -> bool:
        return (
            value.opcode == "alloca"
            and value.block is self.function.entry
            and all(isinstance(o, Constant) for o in value.operands)
        )

    def inputs(self, need: Need) -> list[Need] | None:
        """What the need is computed from; None where it can only be stored."""
        if need.kind == "primal":
            assert isinstance(need.of, Instruction)
            return self._primal_inputs(need.of)
        if need.kind == "shadow":
            assert isinstance(need.of, Instruction)
            return self._shadow_inputs(need.of, need.direction)
        if need.kind == "source":
            assert isinstance(need.of, Block)
            choice = self.reversal.choice(need.of)
            return None if choice is None else [Need("primal", choice.condition)]
        if need.kind == "refill":
            assert isinstance(need.of, Instruction)
            logs = (Need("log", w) for w in self.log.writes_over(need.of) or ())
            return [*(Need("primal", v) for v, _ in self.log.needed_to_refill(need.of)), *logs]
        if need.kind == "last":
            assert isinstance(need.of, Loop)
            count = self.reversal.trip_counts.get(need.of)
            return None if count is None else [Need("primal", count.start), Need("primal", count.bound)]
        return None

    def _primal_inputs(self, v: Instruction) -> list[Need] | None:
        given = self._computed_from(v)
        access = self.reread_from(v) if given is None else None
        if access is None:
            return given
        where = Need("primal", self.log.target(access))
        copy = self.log.refill(access) if access.opcode == "store" else None
        if copy is not None:
            may_overlap = copy in (self.log.overwriting(access) or ())
            return [where, Need("refill", copy), *([Need("log", copy)] if may_overlap else ())]
        return [where, *(Need("log", w) for w in self.log.writes_over(access) or ())]

    def is_computed_again(self, v: Instruction) -> bool:
        """Whether the value has a recipe without any log."""
        return self._computed_from(v) is not None

    def _computed_from(self, v: Instruction) -> list[Need] | None:
        if v.opcode in _RECOMPUTABLE or self._is_cheap_call(v):
            return [Need("primal", o) for o in value_operands(v)]
        if v.opcode == "load" and not v.flags and self.intact(v):
            return [Need("primal", v.operands[0])]
        if v.opcode == "phi":
            variable = self.induction(v)
            return None if variable is None else [Need("primal", variable.start)]
        return None

    def reread_from(self, v: Instruction) -> Instruction | None:
        """What says where in memory the value is, which is overwritten, but by writes that can be undone."""
        if v.opcode == "load":
            return v if not v.flags and self.log.writes_over(v) is not None else None
        return self.log.holder(v)

    def _is_cheap_call(self, v: Instruction) -> bool:
        if v.opcode != "call":
            return False
        callee = self.activity.callees.of(v)
        name = plain_name(callee.name)
        return (callee.kind is CalleeKind.RULE or name.startswith("llvm.")) and is_cheap(name)

    def _shadow_inputs(self, v: Instruction, direction: int) -> list[Need] | None:
        if not self.activity.shadowed(v):
            return [Need("primal", v)]  # used as its own shadow
        if v.opcode == "getelementptr":
            return [Need("shadow", v.operands[0], direction), *(Need("primal", o) for o in v.operands[1:])]
        if v.opcode == "load" and not v.flags and self.shadows_stay and self.intact(v):
            return [Need("shadow", v.operands[0], direction)]
        if v.opcode == "phi":
            variable = self.induction(v)
            return None if variable is None else [Need("shadow", variable.start, direction)]
        if v.opcode in _SHADOW_COPIES:
            can_point = self.activity.carriers.can_point
            return [Need("shadow", o, direction) if can_point(o) else Need("primal", o) for o in value_operands(v)]
        return None


def value_operands(v: Instruction) -> Sequence[Value]:
    """Operands without blocks and callee."""
    return v.arguments if v.opcode == "call" else v.operands
