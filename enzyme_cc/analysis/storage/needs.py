"""Needs: the values of the primal sweep that the reverse sweep uses, and how each can be computed from others.

A need names one value, as it was in the iteration that the reverse sweep inverts. There are three sorts:

- free: an argument, a constant or a static alloca, which the reverse sweep has anyhow;
- recomputed: a recipe computes it from other needs;
- stored: the primal sweep keeps it on the tape.

A load has a recipe if nothing overwrites its memory, or if each write that does is logged and undone. The log of a
write (store_log.py) is a need that can only be stored. store_or_recompute.py chooses between storing and recomputing.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant
from ...ir.instructions import PURE
from ...ir.types import I8, I32, I64, PTR, Type
from ...ir.value_edges import SHADOW_COPIED
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..activity.activity import Activity
from ..callees import plain_name
from ..integers.loops import Induction, induction
from .costs import is_cheap, is_slow
from .reversal import Reversal
from .store_log import StoreLog


class NeedKind(enum.Enum):
    """What a need is, and the instruction, loop or block that it belongs to. The values are the words of reports."""

    PRIMAL = "primal"  #: a value of the primal
    SHADOW = "shadow"  #: the shadow of a value; each direction of vector mode has its own
    SOURCE = "source"  #: of a block: the index in Reversal.sources of the block that control came from
    LAST = "last"  #: of a loop: the number of its last iteration
    RECORD = "record"  #: of a loop: the address of its tape
    TAPE = "tape"  #: of a call: the callee's tape
    SIZE = "size"  #: of a reallocation: the number of bytes moved
    BYTES = "bytes"  #: of a copy: what the shadow of its source held; each direction of vector mode has its own
    LOG = "log"  #: of a write: the bytes that it overwrote, or the address of a copy of them
    REFILL = "refill"  #: of a copy: from its reverse on, its source holds again what it copied; never stored
    EXIT = "exit"  #: of the function: the index of the return that it took


class Need(NamedTuple):
    """A value that the reverse sweep uses."""

    kind: NeedKind
    of: Value | Loop | None
    direction: int = 0


_FIXED_TYPES: dict[NeedKind, Type] = {
    NeedKind.SOURCE: I8,
    NeedKind.LAST: I64,
    NeedKind.RECORD: PTR,
    NeedKind.TAPE: PTR,
    NeedKind.SIZE: I64,
    NeedKind.BYTES: PTR,
    NeedKind.REFILL: I8,
    NeedKind.EXIT: I32,
}


def need_type(need: Need) -> Type:
    """Returns the type in which a need is stored."""
    if need.kind in (NeedKind.PRIMAL, NeedKind.SHADOW):
        assert isinstance(need.of, Value)
        return need.of.type
    if need.kind is NeedKind.SOURCE and isinstance(need.of, Block) and len(need.of.users) > 100:
        return I32
    if need.kind is NeedKind.LOG:
        assert isinstance(need.of, Instruction)
        return need.of.operands[0].type if need.of.opcode == "store" else PTR
    return _FIXED_TYPES[need.kind]


#: cheap instructions whose result depends on the operands alone; frem is a loop in the machine
_RECOMPUTABLE = PURE - {"frem"}


class Recipes:
    """The recipes of one function: for each need, the needs that it is computed from.

    `intact` tells of a load whether its memory is unchanged when the reverse sweep runs. `shadows_intact`: the same is
    true of the pointers in the shadow of that memory, which a reverse sweep that may run again clears. `split`: the
    reverse sweep is a function of its own, so that it does not share the primal sweep's stack. `repeatable` tells of a
    call whether the reverse sweep may make it again. `may_be_recorded` tells of a load whether the shadow of what it
    loads may depend on where that lies in the primal's memory.
    """

    def __init__(
        self,
        *,
        function: Function,
        flow: ControlFlow,
        activity: Activity,
        reversal: Reversal,
        intact: Callable[[Instruction], bool],
        log: StoreLog,
        split: bool,
        repeatable: Callable[[Instruction], bool],
        shadows_intact: bool = True,
        may_be_recorded: Callable[[Instruction], bool] = lambda load: False,
    ) -> None:
        self.function = function
        self.flow = flow
        self.activity = activity
        self.reversal = reversal
        self.shadows_intact = shadows_intact
        self.may_be_recorded = may_be_recorded
        self.intact = intact
        self.repeatable = repeatable
        self.log = log
        self.split = split
        self._inductions: dict[Instruction, Induction | None] = {}

    def scope(self, need: Need) -> Loop | None:
        """Returns the innermost loop that gives the need a new value in each iteration; None for the whole function."""
        if need.kind in (NeedKind.LAST, NeedKind.RECORD):
            assert isinstance(need.of, Loop)
            return need.of.parent
        if isinstance(need.of, Block):
            return self.flow.loop_of[need.of]
        if isinstance(need.of, Instruction) and need.of.block is not None:
            return self.flow.loop_of[need.of.block]
        return None

    def induction(self, phi: Instruction) -> Induction | None:
        """Returns the phi as an induction variable of the loop whose header it is in, or None."""
        if phi not in self._inductions:
            assert phi.block is not None
            loop = self.flow.loop_of[phi.block]
            found = induction(phi, loop) if loop is not None and loop.header is phi.block else None
            self._inductions[phi] = found
        return self._inductions[phi]

    def is_free(self, need: Need) -> bool:
        """True if the reverse sweep has the value without storing or computing it."""
        value = need.of
        if need.kind not in (NeedKind.PRIMAL, NeedKind.SHADOW):
            return False
        if isinstance(value, Constant | Argument):
            return True
        return isinstance(value, Instruction) and not self.split and self.is_static_alloca(value)

    def is_static_alloca(self, value: Instruction) -> bool:
        """True for an alloca of constant size in the entry block."""
        return (
            value.opcode == "alloca"
            and value.block is self.function.entry
            and all(isinstance(o, Constant) for o in value.operands)
        )

    def inputs(self, need: Need) -> list[Need] | None:
        """Returns the needs that this one is computed from, or None if it can only be stored."""
        if need.kind is NeedKind.PRIMAL:
            assert isinstance(need.of, Instruction)
            return self._primal_inputs(need.of)
        if need.kind is NeedKind.SHADOW:
            assert isinstance(need.of, Instruction)
            return self._shadow_inputs(need.of, need.direction)
        if need.kind is NeedKind.SOURCE:
            assert isinstance(need.of, Block)
            choice = self.reversal.choice(need.of)
            return None if choice is None else [Need(NeedKind.PRIMAL, choice.condition)]
        if need.kind is NeedKind.REFILL:
            assert isinstance(need.of, Instruction)
            logs = (Need(NeedKind.LOG, w) for w in self.log.writes_over(need.of) or ())
            return [*(Need(NeedKind.PRIMAL, v) for v, _ in self.log.needed_to_refill(need.of)), *logs]
        if need.kind is NeedKind.LAST:
            assert isinstance(need.of, Loop)
            count = self.reversal.trip_counts.get(need.of)
            return None if count is None else [Need(NeedKind.PRIMAL, count.start), Need(NeedKind.PRIMAL, count.bound)]
        return None

    def _primal_inputs(self, v: Instruction) -> list[Need] | None:
        given = self._computed_from(v)
        access = self.reread_from(v) if given is None else None
        if access is None:
            return given
        where = Need(NeedKind.PRIMAL, self.log.target(access))
        copy = self.log.refill(access) if access.opcode == "store" else None
        if copy is not None:
            may_overlap = copy in (self.log.overwriting(access) or ())
            return [where, Need(NeedKind.REFILL, copy), *([Need(NeedKind.LOG, copy)] if may_overlap else ())]
        return [where, *(Need(NeedKind.LOG, w) for w in self.log.writes_over(access) or ())]

    def is_computed_again(self, v: Instruction) -> bool:
        """True if the value has a recipe that needs no log."""
        return self._computed_from(v) is not None

    def _computed_from(self, v: Instruction) -> list[Need] | None:
        if self._is_kept(v):
            return None
        if v.opcode in _RECOMPUTABLE or (v.opcode == "call" and self._is_called_again(v)):
            return [Need(NeedKind.PRIMAL, o) for o in value_operands(v)]
        if v.opcode == "load" and not v.flags and self.intact(v):
            return [Need(NeedKind.PRIMAL, v.operands[0])]
        if v.opcode == "phi":
            variable = self.induction(v)
            return None if variable is None else [Need(NeedKind.PRIMAL, variable.start)]
        return None

    def _is_kept(self, v: Instruction) -> bool:
        """True for what takes many cycles, if a register or a place on the stack of the same function can hold it."""
        assert v.block is not None
        if self.split or self.flow.loop_of[v.block] is not None:
            return False
        return v.opcode == "fdiv" or (v.opcode == "call" and is_slow(plain_name(self.activity.callees.of(v).name)))

    def reread_from(self, v: Instruction) -> Instruction | None:
        """Returns the load or store whose memory holds the value once later writes are undone, or None."""
        if v.opcode == "load":
            return v if not v.flags and self.log.writes_over(v) is not None else None
        return self.log.holder(v)

    def is_never_stored(self, need: Need) -> bool:
        """True if the program declares that the result of this call is computed again, and it can be."""
        v = need.of
        if need.kind is not NeedKind.PRIMAL or not isinstance(v, Instruction) or v.opcode != "call":
            return False
        return self._declared(v) is False and self.repeatable(v)

    def _declared(self, call: Instruction) -> bool | None:
        callees = self.activity.callees
        return callees.declared.results.get(callees.of(call).name)

    def _is_called_again(self, v: Instruction) -> bool:
        is_stored = self._declared(v)
        if is_stored is not None:
            return not is_stored and self.repeatable(v)
        callee = self.activity.callees.of(v)
        name = plain_name(callee.name)
        return (callee.kind is CalleeKind.RULE or name.startswith("llvm.")) and is_cheap(name)

    def _shadow_inputs(self, v: Instruction, direction: int) -> list[Need] | None:
        if not self.activity.shadowed(v):
            return [Need(NeedKind.PRIMAL, v)]  # the value is its own shadow
        if v.opcode == "getelementptr":
            return [
                Need(NeedKind.SHADOW, v.operands[0], direction),
                *(Need(NeedKind.PRIMAL, o) for o in v.operands[1:]),
            ]
        if v.opcode == "load" and not v.flags and self.shadows_intact and self.intact(v):
            place = v.operands[0]
            own = [Need(NeedKind.PRIMAL, place)] if self.may_be_recorded(v) else []
            return [Need(NeedKind.SHADOW, place, direction), *own]
        if v.opcode == "phi":
            variable = self.induction(v)
            return None if variable is None else [Need(NeedKind.SHADOW, variable.start, direction)]
        if v.opcode in SHADOW_COPIED:
            can_point = self.activity.carriers.can_point
            return [
                Need(NeedKind.SHADOW, o, direction) if can_point(o) else Need(NeedKind.PRIMAL, o)
                for o in value_operands(v)
            ]
        return None


def value_operands(v: Instruction) -> Sequence[Value]:
    """Returns the arguments of a call, without the callee; the operands of any other instruction."""
    return v.arguments if v.opcode == "call" else v.operands
