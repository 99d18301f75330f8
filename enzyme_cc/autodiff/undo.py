"""Writes undone: the forward sweep logs what they overwrite, their reverse puts it back (analysis/store_log.py).

Memory that the caller sees is left in its final state: before the first of its bytes is put back, the region is kept
aside, and restored when the reverse sweep is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.needs import Need
from ..analysis.regions import Dimension, Loops, induction_of, linear_operands, varies
from ..ir.builder import int_constant
from ..ir.cfg import Loop
from ..ir.types import I1, I64, PTR, VOID, IntType, is_pointer, store_size
from ..ir.values import Instruction, Value
from .frame import emit_last_iteration

if TYPE_CHECKING:
    from .forward import ForwardSweep
    from .reverse import ReverseSweep

_COPY = "@llvm.memcpy.p0.p0.i64"


def log(sweep: ForwardSweep, write: Instruction) -> None:
    """Saves the bytes that the write is about to overwrite."""
    rules, b = sweep.frame.recipes.log, sweep.b
    target = sweep.of(rules.target(write))
    need = Need("log", write)
    if not rules.is_bulk(write):
        old = b.load(write.operands[0].type, target, write.memory.align)
        old.metadata = sweep.session.scopes.of("primal")
        sweep.save(need, lambda: old)
        return
    size = b.resize_int(sweep.of(rules.size(write)), I64)
    kept = b.call("@__ez_alloc", PTR, (sweep.frame.arena, size))
    b.call(_COPY, VOID, (kept, target, size, int_constant(0, I1)))
    sweep.save(need, lambda: kept)


def put_back(sweep: ReverseSweep, write: Instruction) -> None:
    """Undoes the write."""
    rules, b = sweep.recipes.log, sweep.b
    if not rules.is_own(write) and kept_at(sweep, write) is None:
        keep(sweep, write)
    target, old = sweep.primal(rules.target(write)), sweep.need(Need("log", write))
    if rules.is_bulk(write):
        size = b.resize_int(sweep.primal(rules.size(write)), I64)
        b.call(_COPY, VOID, (target, old, size, int_constant(0, I1)))
        return
    b.store(old, target, write.memory.align).metadata = sweep.session.scopes.of("primal")


def read_again(sweep: ReverseSweep, value: Instruction, store: Instruction) -> Value:
    """The value, from where the store has put it."""
    load = sweep.b.load(value.type, sweep.primal(store.operands[1]), store.memory.align)
    load.metadata = sweep.session.scopes.of("primal")
    return load


# -- what the caller sees


def kept_at(sweep: ReverseSweep, write: Instruction) -> Loop | None:
    """The loop whose reverse begins with keeping all that the store writes in it."""
    rules = sweep.recipes.log
    if rules.is_bulk(write) or rules.is_own(write):
        return None
    return rules.region(write).outermost


def keep(sweep: ReverseSweep, write: Instruction) -> None:
    """Keeps the region of the write aside, once."""
    rules, b = sweep.recipes.log, sweep.b
    sweep.keeps = True
    if rules.is_bulk(write):
        size = b.resize_int(sweep.primal(rules.size(write)), I64)
        _keep(sweep, sweep.primal(rules.target(write)), size, size, int_constant(1))
        return
    region = rules.region(write)
    pointer = write.operands[1]
    start = _value_at(sweep, pointer, region.loops, None)
    size = int_constant(store_size(write.operands[0].type))
    step: Value = size
    count: Value = int_constant(1)
    for dimension in region.dimensions:
        if dimension is not region.dimensions[0]:  # the inner one leaves no gaps
            size = b.mul(count, step)
        following = _value_at(sweep, pointer, region.loops, dimension.loop)
        step = b.sub(b.cast("ptrtoint", following, I64), b.cast("ptrtoint", start, I64))
        count = _executions(sweep, dimension)
    _keep(sweep, start, size, step, count)


def _keep(sweep: ReverseSweep, start: Value, size: Value, step: Value, count: Value) -> None:
    sweep.b.call("@__ez_keep", VOID, (sweep.frame.arena, start, size, step, count))


def _executions(sweep: ReverseSweep, dimension: Dimension) -> Value:
    count = dimension.count
    last = emit_last_iteration(sweep.b, count, sweep.primal(count.start), sweep.primal(count.bound))
    return sweep.b.add(last, int_constant(1)) if dimension.runs_last else last


def _value_at(sweep: ReverseSweep, value: Value, loops: Loops, second: Loop | None) -> Value:
    """A linear value in the first iteration of all loops, but in the second of one."""
    if not varies(value, loops):
        return sweep.primal(value)
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
    return b.block.append(Instruction(opcode, value.type, operands, value.extra))
