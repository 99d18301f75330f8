"""The forward sweep: a clone of the primal, with shadow pointers beside pointers and stores to the tape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..analysis.activity import ArgumentActivity
from ..analysis.callees import CalleeKind
from ..analysis.needs import Need, need_type
from ..ir.builder import Builder, int_constant, zero
from ..ir.cfg import Loop
from ..ir.types import I8, I64, PTR, VOID, alloc_size
from ..ir.values import Block, CallInfo, Constant, ConstantInt, Instruction, Value
from . import memory
from .frame import SHADOW_METADATA, Frame, emit_last_iteration, kept_metadata, tape_align
from .signature import Form


class ForwardSweep:
    """Clones every block of the primal into the frame's function. `finish(block, builder, value)` ends a return."""

    def __init__(self, frame: Frame, finish: Callable[[Block, Builder, Value | None], None]) -> None:
        self.frame = frame
        self.analysed = frame.analysed
        self.session = frame.session
        self.activity = frame.analysed.activity
        self.finish = finish
        self.primal: dict[Value, Value] = {}
        self.shadow: dict[Value, Value] = {}
        self.blocks: dict[Block, Block] = {}
        self.iteration: dict[Loop, Value] = {}
        self.base: dict[Loop | None, Value] = {}
        self.trips: dict[Loop, Value] = {}
        self.b = frame.prologue
        self._phis: list[tuple[Instruction, Instruction, bool]] = []

    # -- driving

    def run(self) -> None:
        flow, frame = self.analysed.flow, self.frame
        for block in flow.order:
            self.blocks[block] = frame.target.add_block()
        self._open_function_record()
        for block in flow.order:
            self._clone_block(block)
        for original, clone, is_shadow in self._phis:
            for value, predecessor in original.incoming:
                if predecessor not in self.blocks:
                    continue
                clone.append_operand(self.shadow_of(value) if is_shadow else self.of(value))
                clone.append_operand(self.blocks[predecessor])

    def _open_function_record(self) -> None:
        if self.frame.form is Form.AUGMENTED:
            size = self.frame.record(None).size
            self.base[None] = self._allocate_tape(self.frame.prologue, int_constant(size)) if size else zero(PTR)

    def _allocate_tape(self, b: Builder, size: Value) -> Value:
        return b.call("@__ez_alloc", PTR, (self.frame.arena, size))

    def _clone_block(self, block: Block) -> None:
        self.b = Builder(self.blocks[block])
        phis = block.phis
        for phi in phis:
            self._clone_phi(phi)
        self._open_block(block)
        for phi in phis:
            self._save_value(phi)
        for instruction in block.instructions[len(phis) : -1]:
            self._clone(instruction)
            self._save_value(instruction)
        self._open_loops(block)
        self._clone_terminator(block)

    def _save_value(self, i: Instruction) -> None:
        self.save(Need("primal", i), lambda: self.of(i))
        self.save(Need("shadow", i), lambda: self.shadow_of(i))

    def save(self, need: Need, value: Callable[[], Value]) -> None:
        """Stores the need's value now, if the plan stores it."""
        frame = self.frame
        if not frame.plan.is_stored(need):
            return
        scope = frame.recipes.scope(need)
        if scope is None and frame.form is Form.COMBINED:
            self.b.store(value(), frame.slot(need))
            return
        iteration, trips = (self.iteration.get(scope), self.trips.get(scope)) if scope is not None else (None, None)
        place = frame.address(self.b, need, self.base[scope], iteration, trips)
        self.b.store(value(), place, tape_align(need_type(need))).metadata = self.session.scopes.of("tape")

    # -- blocks and loops

    def _open_block(self, block: Block) -> None:
        """Records where control came from, and counts iterations."""
        need = Need("source", block)
        if self.frame.plan.is_stored(need):
            sources = self.analysed.reversal.sources[block]
            type_ = need_type(need)
            phi = self.b.phi(type_)
            self._fill(phi, block, {p: int_constant(k, type_) for k, p in enumerate(sources)})
            deferred = need
        loop = self.analysed.flow.loop_of[block]
        if loop is not None and loop.header is block and loop in self.analysed.reversal.loops:
            self._open_iteration(loop)
        if self.frame.plan.is_stored(need):
            self.save(deferred, lambda: phi)

    def _open_iteration(self, loop: Loop) -> None:
        plan, b = self.frame.plan, self.b
        header = self.blocks[loop.header]
        predecessors = self.analysed.flow.predecessors[loop.header]
        linked = bool(plan.by_scope.get(loop)) and not self.frame.is_counted(loop)
        counted = bool(plan.by_scope.get(loop)) and self.frame.is_counted(loop)
        if counted or plan.is_stored(Need("last", loop)):
            phi = b.phi(I64)
            following = b.add(phi, int_constant(1), ("nuw", "nsw"))
            self._fill(phi, loop.header, {p: following if p in loop.blocks else int_constant(0) for p in predecessors})
            self.iteration[loop] = phi
            self.save(Need("last", loop), lambda: phi)
        if linked:
            before = Builder(header).phi(PTR)
            record = b.call("@__ez_push", PTR, (self.frame.arena, int_constant(self.frame.record(loop).size)))
            b.store(before, record, 8).metadata = self.session.scopes.of("tape")
            self._fill(before, loop.header, {p: record if p in loop.blocks else zero(PTR) for p in predecessors})
            self.base[loop] = record
            self.save(Need("record", loop), lambda: record)

    def _fill(self, phi: Instruction, block: Block, values: Mapping[Block, Value]) -> None:
        """One entry for each edge: a switch may have several to the same block."""
        for predecessor, value in values.items():
            for _ in range(predecessor.terminator.successors.count(block)):
                phi.append_operand(value)
                phi.append_operand(self.blocks[predecessor])

    def _open_loops(self, block: Block) -> None:
        """At the end of a block that enters a counted loop: tape memory for all its iterations."""
        for successor in block.successors:
            loop = self.analysed.flow.loop_of[successor]
            if loop is None or loop.header is not successor or block in loop.blocks:
                continue
            count = self.analysed.reversal.trip_counts.get(loop)
            if count is None or not self.frame.plan.by_scope.get(loop):
                continue
            last = emit_last_iteration(self.b, count, self.of(count.start), self.of(count.bound))
            trips = self.trips[loop] = self.b.add(last, int_constant(1), ("nuw", "nsw"))
            size = self.b.mul(trips, int_constant(self.frame.record(loop).size), ("nuw", "nsw"))
            self.base[loop] = self._allocate_tape(self.b, size)
            self.save(Need("record", loop), lambda loop=loop: self.base[loop])  # type: ignore[misc]

    # -- values

    def of(self, value: Value) -> Value:
        """The forward sweep's value of a primal value."""
        return value if isinstance(value, Constant) else self.primal[value]

    def shadow_of(self, value: Value) -> Value:
        """The shadow of a pointer; of one without, the pointer itself."""
        if isinstance(value, Constant):
            return self.session.constant_shadow(value)
        return self.shadow[value] if value in self.shadow else self.primal[value]

    def clone(self, i: Instruction, operands: Sequence[Value]) -> Instruction:
        extra = i.extra
        if isinstance(extra, CallInfo) and extra.tail:
            extra = CallInfo(
                extra.function_type,
                extra.argument_attributes,
                extra.convention,
                extra.result_attributes,
                extra.attributes,
                extra.bundles,
            )
        metadata = kept_metadata(i)
        if i.opcode in ("load", "store"):
            metadata = self.session.scopes.of("primal", metadata)
        return self.b.block.append(Instruction(i.opcode, i.type, operands, extra, i.flags, metadata=metadata))

    def clone_plain(self, i: Instruction) -> Instruction:
        clone = self.clone(i, [self.blocks[o] if isinstance(o, Block) else self.of(o) for o in i.operands])
        self.primal[i] = clone
        return clone

    def _clone_phi(self, i: Instruction) -> None:
        for is_shadow in (False, True)[: 1 + self.activity.shadowed(i)]:
            clone = self.b.block.append(Instruction("phi", i.type, flags=i.flags))
            (self.shadow if is_shadow else self.primal)[i] = clone
            self._phis.append((i, clone, is_shadow))

    def _clone(self, i: Instruction) -> None:
        _FORWARD.get(i.opcode, ForwardSweep._clone_value)(self, i)

    def _clone_value(self, i: Instruction) -> None:
        self.clone_plain(i)
        if self.activity.shadowed(i):
            can_point = self.activity.carriers.can_point
            self.shadow[i] = self.clone(i, [self.shadow_of(o) if can_point(o) else self.of(o) for o in i.operands])

    def _clone_gep(self, i: Instruction) -> None:
        self.clone_plain(i)
        if self.activity.shadowed(i):
            self.shadow[i] = self.clone(i, [self.shadow_of(i.operands[0]), *map(self.of, i.operands[1:])])

    def _clone_load(self, i: Instruction) -> None:
        self.clone_plain(i)
        if self.activity.shadowed(i):
            shadow = self.clone(i, [self.shadow_of(i.operands[0])])
            shadow.metadata = kept_metadata(i, SHADOW_METADATA)
            self.shadow[i] = shadow

    def _clone_store(self, i: Instruction) -> None:
        self.clone_plain(i)
        value, pointer = i.operands
        if self.activity.shadowed(pointer) and self.activity.carriers.can_point(value):
            shadow = self.clone(i, [self.shadow_of(value), self.shadow_of(pointer)])
            shadow.metadata = kept_metadata(i, SHADOW_METADATA)

    def _clone_alloca(self, i: Instruction) -> None:
        info = i.memory
        static = self.frame.recipes.is_static_alloca(i)
        assert info.accessed is not None
        count = i.operands[0] if i.operands else None
        if static and self.frame.form is Form.COMBINED:
            b = self.frame.prologue
            self.primal[i] = b.alloca(info.accessed, count, info.align)
            if i in self.activity.objects:
                shadow = self.shadow[i] = b.alloca(info.accessed, count, info.align)
                number = count.value if isinstance(count, ConstantInt) else 1
                memory.clear(b, shadow, int_constant(number * alloc_size(info.accessed)))
            return
        number_value = int_constant(1) if count is None else self.b.resize_int(self.of(count), I64)
        size = self.b.mul(number_value, int_constant(alloc_size(info.accessed)))
        self.primal[i] = self._allocate_tape(self.b, size)
        if i in self.activity.objects:
            self.shadow[i] = self._allocate_tape(self.b, size)
            memory.clear(self.b, self.shadow[i], size)

    def _clone_call(self, i: Instruction) -> None:
        kind = self.activity.callees.of(i).kind
        _FORWARD_CALLS.get(kind, ForwardSweep._clone_inactive_call)(self, i)

    def _clone_inactive_call(self, i: Instruction) -> None:
        self.clone_plain(i)

    def _clone_stack_call(self, i: Instruction) -> None:
        """stacksave and stackrestore, lifetimes: memory made by the primal lives until the reverse sweep is done."""
        if i.type != VOID:
            self.primal[i] = zero(i.type)

    def _clone_allocate(self, i: Instruction) -> None:
        self.clone_plain(i)
        if i in self.activity.objects:
            memory.allocate_shadow(self, i)

    def _clone_free(self, i: Instruction) -> None:
        memory.defer_free(self, i)

    def _clone_reallocate(self, i: Instruction) -> None:
        memory.reallocate(self, i)

    def _clone_copy(self, i: Instruction) -> None:
        self.clone_plain(i)
        memory.copy_shadow_pointers(self, i)
        self._shadow_of_returned_pointer(i)

    def _clone_fill(self, i: Instruction) -> None:
        self.clone_plain(i)
        memory.fill_shadow_pointers(self, i)
        self._shadow_of_returned_pointer(i)

    def _shadow_of_returned_pointer(self, i: Instruction) -> None:
        """memcpy and memset return their first argument."""
        if i.type == PTR and self.activity.shadowed(i):
            target = self.activity.copy_operands(i)[0]
            distance = None
            if self.activity.callees.of(i).name.endswith("mempcpy"):
                distance = self.of(i.arguments[2])
            shadow = self.shadow_of(target)
            self.shadow[i] = shadow if distance is None else self.b.offset(shadow, distance)

    def _clone_defined(self, i: Instruction) -> None:
        if i not in self.activity.active_calls or self.analysed.is_late(i):
            self.clone_plain(i)
            return
        signature = self.analysed.call_signature(i)
        name, proto = self.session.derivative(signature, Form.AUGMENTED)
        result = self.b.call(name, proto.result, (self.frame.arena, *self.call_arguments(i)))
        self.save(Need("tape", i), lambda: self.b.extract_value(result, 0))
        if i.type != VOID:
            self.primal[i] = self.b.extract_value(result, 1)
        if i in self.activity.shadow_results:
            self.shadow[i] = self.b.extract_value(result, 2)

    def call_arguments(self, i: Instruction) -> list[Value]:
        out: list[Value] = []
        for argument in i.arguments:
            out.append(self.of(argument))
            if self.activity.argument_activity(argument) is ArgumentActivity.DUP:
                out.append(self.shadow_of(argument))
        return out

    def _clone_refused(self, i: Instruction) -> None:
        if i not in self.activity.active_calls:
            self.clone_plain(i)
        elif self.activity.callees.of(i).kind is CalleeKind.INDIRECT and not i.call.function_type.vararg:
            self.b.call("@__ez_unknown_function", VOID, (self.session.text(str(i.call.function_type)),))
            if i.type != VOID:
                self.primal[i] = self.shadow[i] = zero(i.type)
        else:
            raise self.analysed.refusal(i)

    # -- terminators

    def _clone_terminator(self, block: Block) -> None:
        terminator = block.terminator
        if terminator.opcode == "ret":
            self.save(Need("exit", None), lambda: int_constant(self.frame.returns().index(block), I8))
            self.finish(block, self.b, terminator.operands[0] if terminator.operands else None)
        elif terminator.opcode in ("br", "switch", "unreachable", "indirectbr", "resume"):
            self.clone_plain(terminator)
        else:
            raise self.analysed.refusal(terminator)


_FORWARD: dict[str, Callable[[ForwardSweep, Instruction], None]] = {
    "getelementptr": ForwardSweep._clone_gep,
    "load": ForwardSweep._clone_load,
    "store": ForwardSweep._clone_store,
    "alloca": ForwardSweep._clone_alloca,
    "call": ForwardSweep._clone_call,
}

_FORWARD_CALLS: dict[CalleeKind, Callable[[ForwardSweep, Instruction], None]] = {
    CalleeKind.ALLOCATE: ForwardSweep._clone_allocate,
    CalleeKind.FREE: ForwardSweep._clone_free,
    CalleeKind.REALLOCATE: ForwardSweep._clone_reallocate,
    CalleeKind.COPY: ForwardSweep._clone_copy,
    CalleeKind.FILL: ForwardSweep._clone_fill,
    CalleeKind.STACK: ForwardSweep._clone_stack_call,
    CalleeKind.DEFINED: ForwardSweep._clone_defined,
    CalleeKind.CUSTOM: ForwardSweep._clone_defined,
    CalleeKind.INDIRECT: ForwardSweep._clone_refused,
    CalleeKind.ASM: ForwardSweep._clone_refused,
    CalleeKind.UNKNOWN: ForwardSweep._clone_refused,
}
