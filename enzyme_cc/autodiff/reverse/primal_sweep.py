"""The primal sweep, the first half of reverse mode: it clones the primal, computes shadows and fills the tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec.structs import replace

from ...analysis.callees import plain_name
from ...analysis.region_calls import is_region_call
from ...analysis.storage.needs import Need, NeedKind, need_type
from ...ir.builder import Builder
from ...ir.cfg import Loop
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant, zero
from ...ir.types import I32, I64, PTR, VOID, alloc_size, store_size
from ...ir.values import Block, Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.control_functions import keeps_place
from ...rules.knowledge import CalleeKind
from ..core.alias_scopes import MemoryKind
from ..core.signature import Form, Signature
from ..emit import dropped_tapes
from ..emit.cloned_calls import (
    call_parameters,
    clone_constant,
    clone_inactive,
    clone_refused,
    results_of_call,
    shadow_of_returned_pointer,
)
from ..emit.cloning import CLONED_VALUES, SHARED_CLONES
from ..emit.frame import SHADOW_METADATA, emit_last_iteration, kept_metadata
from ..emit.made_tasks import is_apart, make_apart
from ..emit.reach_notes import NotedReaches
from ..emit.region_forks import RegionDerivative
from ..emit.shadow_access.compared_pointers import compare_names
from ..emit.shadow_access.foreign_pointers import copy_records
from ..emit.shadow_access.scalar_writes import ScalarWrite
from ..emit.shadow_memory import clear
from ..emit.variables_of_threads import variables_of_threads
from ..globals.foreign_refusals import refuse
from . import primal_memory as memory
from . import replaced_pointers, runtime_calls, undo
from .mixed_adjoints import clear_before_write, keep_pointer, refuse_number
from .tape_allocation import TapedCloning

_SECOND_RETURN = (
    "%s: longjmp returned to setjmp in code that is differentiated in reverse mode [EZ0304]; use forward mode, or give "
    "the function around it a custom derivative"
)


class PrimalSweep(TapedCloning):
    """Clones every block of the primal into the frame's function."""

    @cached_property
    def reaches(self) -> NotedReaches:
        return NotedReaches(self, self.frame)

    def cloned(self, i: Instruction) -> None:
        self.save(Need(NeedKind.PRIMAL, i), lambda: self.of(i))
        for direction in self.directions():
            self.save(Need(NeedKind.SHADOW, i, direction), lambda: self.shadow_of(i))
            self.memory.record(i)

    def compare_names(self, i: Instruction) -> None:
        compare_names(self, i)

    # -- blocks and loops

    def open_block(self, block: Block) -> None:
        """Records where control came from, and counts iterations."""
        source = self._number_of_source(block)
        loop = self.analyses.flow.loop_of[block]
        if loop is not None and loop.header is block and loop in self.analyses.reversal.loops:
            self._count_iterations(loop)
            self._link_iteration(loop)
        if source is not None:
            self.save(Need(NeedKind.SOURCE, block), lambda: source)

    def _number_of_source(self, block: Block) -> Value | None:
        """Which of the block's sources control came from, where the plan stores that."""
        need = Need(NeedKind.SOURCE, block)
        if not self.frame.plan.is_stored(need):
            return None
        phi = self.b.phi(need_type(need))
        sources = self.analyses.reversal.sources[block]
        self._fill(phi, block, {source: int_constant(k, phi.type) for k, source in enumerate(sources)})
        return phi

    def _count_iterations(self, loop: Loop) -> None:
        """The number of the iteration: the place in the arrays of a counted loop, and the last one's to be stored."""
        stores_in_arrays = bool(self.frame.plan.by_scope.get(loop)) and self.frame.is_counted(loop)
        last = Need(NeedKind.LAST, loop)
        if stores_in_arrays or self.frame.plan.is_stored(last):
            phi = self.b.phi(I64)
            following = self.b.add(phi, int_constant(1), ("nuw", "nsw"))
            self._enter_with(phi, loop, int_constant(0), following)
            self.iteration[loop] = phi
            self.save(last, lambda: phi)

    def _link_iteration(self, loop: Loop) -> None:
        """A record for the iteration of a loop that is not counted, behind the address of the record before."""
        if not self.frame.plan.by_scope.get(loop) or self.frame.is_counted(loop):
            return
        before = Builder(self.blocks[loop.header]).phi(PTR)
        size = int_constant(self.frame.record(loop).size)
        record = self.base[loop] = runtime.PUSH_RECORD.call(self.b, self.frame.arena, size)
        self.b.store(before, record, 8).metadata = self.round.scopes.of(MemoryKind.TAPE)
        self._enter_with(before, loop, zero(PTR), record)
        self.save(Need(NeedKind.RECORD, loop), lambda: record)

    def _enter_with(self, phi: Instruction, loop: Loop, first: Value, following: Value) -> None:
        """Fills a phi of the loop's header."""
        predecessors = self.analyses.flow.predecessors[loop.header]
        self._fill(phi, loop.header, {p: following if p in loop.blocks else first for p in predecessors})

    def _fill(self, phi: Instruction, block: Block, values: Mapping[Block, Value]) -> None:
        """One entry for each edge: a switch may have several to the same block."""
        for predecessor, value in values.items():
            for _ in range(predecessor.terminator.successors.count(block)):
                phi.append_operand(value)
                phi.append_operand(self.blocks[predecessor])

    def close_block(self, block: Block) -> None:
        """Records which return control came to; makes tape memory for all iterations of a counted loop it enters."""
        if block.terminator.opcode == "ret":
            self.save(Need(NeedKind.EXIT, None), lambda: int_constant(self.frame.returns().index(block), I32))
        for successor in block.successors:
            loop = self.analyses.flow.loop_of[successor]
            if loop is not None and loop.header is successor and block not in loop.blocks:
                self._allocate_arrays(loop)
                self.reaches.enter(loop)

    def _allocate_arrays(self, loop: Loop) -> None:
        if not self.frame.is_counted(loop) or not self.frame.plan.by_scope.get(loop):
            return
        count = self.analyses.reversal.trip_counts[loop]
        assert count is not None
        last = emit_last_iteration(self.b, count, self.of(count.start), self.of(count.bound))
        trips = self.trips[loop] = self.b.add(last, int_constant(1), ("nuw", "nsw"))
        size = self.b.mul(trips, int_constant(self.frame.record(loop).size), ("nuw", "nsw"))
        base = self.base[loop] = self.allocate_arrays(loop, size)
        self.save(Need(NeedKind.RECORD, loop), lambda: base)

    # -- values

    def clone_write(self, i: Instruction) -> None:
        if self.frame.plan.is_logged(i):
            undo.log(self, i)
        super().clone_write(i)

    def _clone_load(self, i: Instruction) -> None:
        self.clone_plain(i)
        self.reaches.note(i)
        if self.activity.shadowed(i):
            for _ in self.directions():
                shadow = self.clone(i, [self.shadow_of(i.operands[0])])
                shadow.metadata = kept_metadata(i, SHADOW_METADATA)
                self.shadow[i] = self.memory.loaded_shadow(i, shadow)
                self.memory.refuse_unfit(i, shadow)

    def _clone_store(self, i: Instruction) -> None:
        replaced_pointers.record_store(self, i)
        self.clone_write(i)
        self.reaches.note(i)
        for _ in self.directions():
            self._store_shadow(i)

    def _store_shadow(self, i: Instruction) -> None:
        value, pointer = i.operands
        if self.activity.shadowed(pointer) and self.activity.carriers.can_point(value):
            if self.activity.carriers.may_store_number(i):
                refuse_number(self, i)
            self.memory.record_pointers(i)
            shadow = self.clone(i, [self.memory.stored_shadow(value, pointer), self.shadow_of(pointer)])
            shadow.metadata = kept_metadata(i, SHADOW_METADATA)
            keep_pointer(self, i)
        elif self.activity.shadowed(pointer) and self.memory.scalar(i) is ScalarWrite.OVER_OTHERS:
            clear_before_write(self, pointer, int_constant(store_size(value.type)))

    def _clone_alloca(self, i: Instruction) -> None:
        info = i.memory
        static = self.frame.recipes.is_static_alloca(i)
        assert info.accessed is not None
        count = i.operands[0] if i.operands else None
        if static and self.frame.form is Form.COMBINED:
            b = self.frame.prologue
            self.primal[i] = b.alloca(info.accessed, count, info.align)
            number = count.value if isinstance(count, ConstantInt) else 1
            for _ in self.directions() if i in self.activity.objects else ():
                shadow = self.shadow[i] = b.alloca(info.accessed, count, info.align)
                clear(b, shadow, int_constant(number * alloc_size(info.accessed)))
            return
        number_value = int_constant(1) if count is None else self.b.resize_int(self.of(count), I64)
        size = self.b.mul(number_value, int_constant(alloc_size(info.accessed)))
        self.primal[i] = self.allocate_tape(self.b, size)
        self.report(self.b, self.round.source.source_location(i), size)
        for _ in self.directions() if i in self.activity.objects else ():
            self.shadow[i] = self.allocate_tape(self.b, size)
            clear(self.b, self.shadow[i], size)

    def _clone_call(self, i: Instruction) -> None:
        kind = self.activity.callees.of(i).kind
        _CALLS[kind](self, i)

    def _clone_stack_call(self, i: Instruction) -> None:
        """Drops stacksave, stackrestore and lifetimes: the primal's memory must live until the reverse sweep ends."""
        if i.type != VOID:
            self.primal[i] = zero(i.type)

    def _clone_allocate(self, i: Instruction) -> None:
        known = self.activity.callees.of(i).known
        if known is not None and known.arena:
            runtime_calls.allocate(self, i)
            return
        self.clone_plain(i)
        for _ in self.directions() if i in self.activity.objects else ():
            memory.allocate_shadow(self, i)

    def _clone_free(self, i: Instruction) -> None:
        memory.defer_free(self, i)

    def _clone_reallocate(self, i: Instruction) -> None:
        memory.reallocate(self, i)

    def _clone_copy(self, i: Instruction) -> None:
        replaced_pointers.record_bulk(self, i, list(self.activity.callees.copy_operands(i)))
        copies_shadow_first = memory.copies_shadow_first(self, i)
        if not copies_shadow_first:
            self.clone_write(i)
        for _ in self.directions():
            memory.copy_shadow_pointers(self, i)
            target, source = self.activity.callees.copy_operands(i)
            if self.activity.shadowed(target):
                copy_records(self.memory, i, source if copies_shadow_first else target)
        if copies_shadow_first:
            self.clone_write(i)
        for _ in self.directions():
            shadow_of_returned_pointer(self, i)

    def _clone_atomic(self, i: Instruction) -> None:
        if i not in self.analyses.dead_writes.writes:
            self.clone_value(i)

    def _clone_inactive(self, i: Instruction) -> None:
        if i in self.analyses.empty_sections and not i.users:
            return
        dual = self.analyses.dual_of(i)
        if dual is not None:
            self.primal[i] = self.b.call(f"@{dual.taped}", i.type, [self.of(a) for a in i.arguments])
            return
        clone_inactive(self, i)
        if keeps_place(plain_name(self.activity.callees.of(i).name)):
            self._refuse_second_return(i)

    def _refuse_second_return(self, i: Instruction) -> None:
        """Ends the program if longjmp leads here: the tape shows no way back through what the jump left."""
        place = self.round.source.source_location(i) or plain_name(self.analyses.function.name)
        is_second = self.b.icmp("ne", self.of(i), zero(i.type))
        refuse(self.round, self.b, is_second, _SECOND_RETURN % place)

    def _clone_fill(self, i: Instruction) -> None:
        replaced_pointers.record_bulk(self, i, [i.arguments[0]])
        self.clone_write(i)
        for _ in self.directions():
            memory.fill_shadow_pointers(self, i)
            shadow_of_returned_pointer(self, i)

    def _clone_defined(self, i: Instruction) -> None:
        if i not in self.activity.active_calls:
            clone_constant(self, i)
            return
        if self.analyses.is_late(i):
            self._clone_late(i)
            return
        signature = self.analyses.call_signature(i)
        if is_region_call(i):
            self._fork(i, signature)
            return
        if is_apart(i, signature):
            task = make_apart(self, i, signature, self.frame.arena)
            if i.type != VOID:
                self.primal[i] = zero(i.type)
            self.save(Need(NeedKind.TAPE, i), lambda: task)
            return
        name, proto = self.round.derivatives.of(signature, Form.AUGMENTED, self.analyses.is_certain(i))
        given = replace(call_parameters(self, i, signature, Form.AUGMENTED), arena=self.frame.arena)
        keep = dropped_tapes.before_call(self.b, self.frame, i)
        result = self.b.call(name, proto.result, given.in_order())
        places = proto.places
        if places.tape is not None:
            tape = keep(self.b.extract_value(result, places.tape))
            self.save(Need(NeedKind.TAPE, i), lambda: tape)
        results_of_call(self, i, result, places)

    def _fork(self, i: Instruction, signature: Signature) -> None:
        """Runs the augmented function of a region on a team of threads. The team is the tape."""
        has_own = bool(variables_of_threads(self.round, signature.function))
        flags = int_constant(int(signature.held) | has_own << 1)
        team = runtime.TEAM_OPEN.call(self.b, self.frame.arena, flags)
        given = call_parameters(self, i, signature, Form.AUGMENTED)
        RegionDerivative(self.round, self.target, i, signature, Form.AUGMENTED).run(self.b, given, team)
        self.save(Need(NeedKind.TAPE, i), lambda: team)

    def _clone_late(self, i: Instruction) -> None:
        """Clones the call, unless the derivative has no use for its result: any value then serves."""
        sums = self.analyses.sums_of_unneeded(i)
        if sums and not self.frame.plan.uses(sums):
            self.primal[i] = zero(i.type)
        else:
            self.clone_plain(i)


PrimalSweep.clones = {
    **SHARED_CLONES,
    **dict.fromkeys(CLONED_VALUES, PrimalSweep.clone_value),
    "load": PrimalSweep._clone_load,
    "store": PrimalSweep._clone_store,
    "atomicrmw": PrimalSweep._clone_atomic,
    "alloca": PrimalSweep._clone_alloca,
    "call": PrimalSweep._clone_call,
}

_CALLS: dict[CalleeKind, Callable[[PrimalSweep, Instruction], object]] = {
    CalleeKind.RULE: PrimalSweep.clone_plain,
    CalleeKind.ALLOCATE: PrimalSweep._clone_allocate,
    CalleeKind.FREE: PrimalSweep._clone_free,
    CalleeKind.REALLOCATE: PrimalSweep._clone_reallocate,
    CalleeKind.COPY: PrimalSweep._clone_copy,
    CalleeKind.FILL: PrimalSweep._clone_fill,
    CalleeKind.STACK: PrimalSweep._clone_stack_call,
    CalleeKind.LINEAR: runtime_calls.copy_pointers,
    CalleeKind.DEFINED: PrimalSweep._clone_defined,
    CalleeKind.CUSTOM: PrimalSweep._clone_defined,
    CalleeKind.INACTIVE: PrimalSweep._clone_inactive,
    CalleeKind.INDIRECT: clone_refused,
    CalleeKind.ASM: clone_refused,
    CalleeKind.UNKNOWN: clone_refused,
}
