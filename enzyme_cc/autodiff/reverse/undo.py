"""Undoes writes: the primal sweep saves the bytes that a write overwrites, and the reverse sweep puts them back.

analysis/storage/store_log.py decides which writes. Memory that the caller sees must be left in its final state: the
reverse sweep copies such a region before it puts back the first byte, and restores the copy at the end.
"""

from __future__ import annotations

from ...analysis.storage.needs import Need, NeedKind
from ...analysis.storage.regions import Dimension, Loops, Region, induction_of, linear_operands, varies
from ...ir.cfg import Loop
from ...ir.folding import int_constant
from ...ir.types import I1, I64, VOID, IntType, is_pointer
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ..core.alias_scopes import MemoryKind
from ..emit.frame import emit_last_iteration
from .reverse_values import ReverseValues
from .tape_allocation import TapedCloning

_COPY = "@llvm.memcpy.p0.p0.i64"


def log(sweep: TapedCloning, write: Instruction) -> None:
    """Saves the bytes that the write is about to overwrite."""
    rules, b = sweep.frame.recipes.log, sweep.b
    target = sweep.of(rules.target(write))
    need = Need(NeedKind.LOG, write)
    if not rules.is_bulk(write):
        old = b.load(write.operands[0].type, target, write.memory.align)
        old.metadata = sweep.round.scopes.of(MemoryKind.PRIMAL)
        sweep.save(need, lambda: old)
        return
    size = b.resize_int(sweep.of(rules.size(write)), I64)
    kept = runtime.ALLOCATE.call(b, sweep.frame.arena, size)
    b.call(_COPY, VOID, (kept, target, size, int_constant(0, I1)))
    sweep.report(b, sweep.round.source.source_location(write), size)
    sweep.save(need, lambda: kept)


def put_back(sweep: ReverseValues, write: Instruction) -> None:
    """Undoes the write."""
    rules, b = sweep.recipes.log, sweep.b
    target, old = sweep.of(rules.target(write)), sweep.need(Need(NeedKind.LOG, write))
    if rules.is_bulk(write):
        _keep_copied(sweep, write, target)
        b.call(_COPY, VOID, (target, old, _size(sweep, write), int_constant(0, I1)))
        return
    if not rules.is_own(write) and rules.region(write).outermost is None:
        keep(sweep, rules.region(write))
    b.store(old, target, write.memory.align).metadata = sweep.round.scopes.of(MemoryKind.PRIMAL)


def refill(sweep: ReverseValues, copy: Instruction) -> None:
    """Restores the source of a copy from its target (analysis/storage/refills.py)."""
    rules, b = sweep.recipes.log, sweep.b
    source, target = sweep.of(rules.copied_from(copy)), sweep.of(rules.target(copy))
    if copy.opcode == "call":
        _keep_copied(sweep, copy, source, rules.copied_from(copy))
        b.call("@llvm.memmove.p0.p0.i64", VOID, (source, target, _size(sweep, copy), int_constant(0, I1)))
        return
    load = rules.copied_load(copy)
    value = b.load(load.type, target, copy.memory.align)
    for access in (value, b.store(value, source, load.memory.align)):
        access.metadata = sweep.round.scopes.of(MemoryKind.PRIMAL)


def _size(sweep: ReverseValues, bulk: Instruction) -> Value:
    return sweep.b.resize_int(sweep.of(sweep.recipes.log.size(bulk)), I64)


# -- what the caller sees


def regions_kept(sweep: ReverseValues) -> list[Region]:
    """Returns the regions that the reverse sweep changes in loops and that the caller sees."""
    rules, plan = sweep.recipes.log, sweep.frame.plan
    stores = [w for w in plan.logged() if w.opcode == "store"]
    loads = [rules.copied_load(copy) for copy in plan.refills() if copy.opcode == "store"]
    return [r for r in map(rules.region, (*stores, *loads)) if not rules.is_private(r.pointer)]


def _keep_copied(sweep: ReverseValues, bulk: Instruction, place: Value, pointer: Value | None = None) -> None:
    """Copies aside the target of a bulk copy, or another of its pointers, if the caller sees it."""
    rules = sweep.recipes.log
    if not rules.is_private(pointer or rules.target(bulk)):
        size = _size(sweep, bulk)
        _keep(sweep, place, size, size, int_constant(1))


def keep(sweep: ReverseValues, region: Region) -> None:
    """Emits code that copies the region aside, once in each run."""
    b, pointer = sweep.b, region.pointer
    start = _value_at(sweep, pointer, region.loops, None)
    size: Value = int_constant(region.size)
    step: Value = size
    count: Value = int_constant(1)
    for dimension in region.dimensions:
        if dimension is not region.dimensions[0]:  # the inner one leaves no gaps
            size = b.mul(count, step)
        following = _value_at(sweep, pointer, region.loops, dimension.loop)
        step = b.sub(b.cast("ptrtoint", following, I64), b.cast("ptrtoint", start, I64))
        count = _executions(sweep, dimension)
    _keep(sweep, start, size, step, count)


def _keep(sweep: ReverseValues, start: Value, size: Value, step: Value, count: Value) -> None:
    sweep.keeps = True
    runtime.KEEP_BYTES.call(sweep.b, sweep.frame.arena, start, size, step, count)


def _executions(sweep: ReverseValues, dimension: Dimension) -> Value:
    count = dimension.count
    last = emit_last_iteration(sweep.b, count, sweep.of(count.start), sweep.of(count.bound))
    return sweep.b.add(last, int_constant(1)) if dimension.runs_last else last


def _value_at(sweep: ReverseValues, value: Value, loops: Loops, second: Loop | None) -> Value:
    """The value of a linear expression in the first iteration of all loops, but the second of the loop `second`."""
    if not varies(value, loops):
        return sweep.of(value)
    b = sweep.b
    variable = induction_of(value, loops)
    if variable is not None:
        start = _value_at(sweep, variable.start, loops, second)
        if second is None or variable.phi.block is not second.header:
            return start
        step = int_constant(variable.step, value.type if isinstance(value.type, IntType) else I64)
        return b.offset(start, step, ()) if is_pointer(value.type) else b.add(start, step)
    assert isinstance(value, Instruction) and linear_operands(value, loops) is not None
    operands = [_value_at(sweep, o, loops, second) for o in value.operands]
    opcode = "add" if value.opcode == "or" else value.opcode
    # without its flags: there may be no second iteration
    return b.insert(Instruction(opcode, value.type, operands, value.extra))
