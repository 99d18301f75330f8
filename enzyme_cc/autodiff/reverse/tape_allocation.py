"""Allocates the tape of a call, and stores on it the values of the cloned primal that the reverse sweep needs.

The primal sweep allocates arrays and records for the iterations of a loop where it enters them (primal_sweep.py).
emit/frame.py has the layout of the tape, and toolchain/runtime/tape.c its memory (`__ez_alloc`).

The handlers of the primal sweep are given a TapedCloning; the sweep that calls them (primal_sweep.py) extends it.
"""

from __future__ import annotations

from collections.abc import Callable

from ...analysis.callees import plain_name
from ...analysis.storage.needs import Need, need_type
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant, zero
from ...ir.types import I8, PTR, ArrayType, alloc_size
from ...ir.values import Value
from ...report.remarks import position
from ...rules import runtime_functions as runtime
from ..analyses.storage_remarks import location
from ..core.alias_scopes import MemoryKind
from ..core.signature import Form
from ..emit.cloning import Cloning, Finish
from ..emit.frame import Frame, tape_align

#: a gradient's tape has at most so many bytes on the stack
_STACK = 4096


class TapedCloning(Cloning):
    """Clones the primal into the frame's function; `save` stores needs where the plan says."""

    def __init__(self, frame: Frame, finish: Finish) -> None:
        super().__init__(frame.analyses, frame.target, finish)
        self.frame = frame
        self.iteration: dict[Loop, Value] = {}
        self.base: dict[Loop | None, Value] = {}
        self.trips: dict[Loop, Value] = {}
        self.b = frame.prologue
        self._on_stack = 0  # bytes of the tape

    def begin(self) -> None:
        """Allocates tape memory for the values that are stored once in each call."""
        if self.frame.form is Form.AUGMENTED:
            size = self.frame.record(None).size
            self.base[None] = self.allocate_tape(self.frame.prologue, int_constant(size)) if size else zero(PTR)

    def allocate_tape(self, b: Builder, size: Value) -> Value:
        return runtime.ALLOCATE.call(b, self.frame.arena, size)

    def report(self, b: Builder, place: str | None, size: Value) -> None:
        """With `--enzyme-tape-report`, counts bytes of the tape at a place of the source, "file:line:column"."""
        if self.round.options.tape_report:
            file, line, _ = position(place or self.round.source.function_location(self.analyses.function))
            text = f"{file}:{line}" if line else plain_name(self.analyses.function.name)
            runtime.NOTE_TAPE.call(b, self.round.tape_line(text), size)

    def allocate_arrays(self, loop: Loop, size: Value) -> Value:
        """Returns memory for what all iterations of a counted loop store: on the stack if it is little.

        LLVM keeps it in registers where it unrolls both loops.
        """
        frame = self.frame
        runs_once = frame.form is Form.COMBINED and loop.parent is None and frame.round.options.is_last
        if not (runs_once and isinstance(size, ConstantInt) and 0 < size.value <= _STACK - self._on_stack):
            return self.allocate_tape(self.b, size)
        self._on_stack += size.value
        return frame.prologue.alloca(ArrayType(I8, size.value), align=8)

    def save(self, need: Need, value: Callable[[], Value]) -> None:
        """Stores the value of the need, if the plan says so."""
        frame = self.frame
        if not frame.plan.is_stored(need):
            return
        scope = frame.recipes.scope(need)
        if scope is None and frame.form is Form.COMBINED:
            self.b.store(value(), frame.slot(need))
            return
        iteration, trips = (self.iteration.get(scope), self.trips.get(scope)) if scope is not None else (None, None)
        self.report(self.b, location(self.analyses, need), int_constant(alloc_size(need_type(need))))
        place = frame.address(self.b, need, self.base[scope], iteration, trips)
        self.b.store(value(), place, tape_align(need_type(need))).metadata = self.round.scopes.of(MemoryKind.TAPE)
