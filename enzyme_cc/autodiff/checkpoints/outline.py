"""Moves the body of a loop of steps into a function, the iteration, and replaces the loop by one call of a driver.

The values that the loop uses of its function are passed in a struct in memory, the closure. Numbers come first: the
shadow of the closure sums up their adjoints over all steps.
"""

from __future__ import annotations

from msgspec import Struct

from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.instructions import MAKES_VALUE
from ...ir.module import Module
from ...ir.types import I64, PTR, VOID, FunctionType, IntType, StructType, Type, alloc_size, field_offsets, is_float
from ...ir.values import Argument, Block, Function, Instruction, Value
from ..emit.frame import emit_last_iteration
from .step_loops import StepLoop, live_in


class Iteration(Struct, frozen=True):
    """The result of outlining a loop.

    `function` has the parameters (closure, index of the iteration). `driver` is the name of the function that takes the
    place of the loop, with the parameters (closure, number of iterations).
    """

    function: Function
    driver: str
    closure: StructType

    @property
    def numbers(self) -> list[tuple[Type, int]]:
        """Types and offsets of the fields of the closure that have adjoints."""
        fields = zip(self.closure.fields, field_offsets(self.closure), strict=True)
        return [(type_, offset) for type_, offset in fields if is_float(type_)]

    @property
    def bytes_of_numbers(self) -> int:
        return max((offset + alloc_size(type_) for type_, offset in self.numbers), default=0)


def outline(module: Module, found: StepLoop) -> Iteration:
    """Takes the loop out of its function, and calls the driver there."""
    loop, around = found.loop, found.function
    preheader, exit_block = loop.entering[0], loop.exit_edges[0][1]
    arguments = [Argument(PTR, "", "", 0), Argument(I64, "", "", 1)]
    name = module.fresh_name(f"__ez_iteration.{plain_name(around.name)}")
    body = Function(name, FunctionType(VOID, (PTR, I64)), arguments, "internal")
    entry, done = body.add_block(), Block("", body)
    live = _live_ins(found)
    closure = StructType(tuple(v.type for v in live))
    _move(found, body, done)
    b = Builder(entry)
    inside: dict[Value, Value] = {
        v: b.load(v.type, b.offset(arguments[0], o)) for v, o in zip(live, field_offsets(closure), strict=True)
    }
    _compute_variables(found, b, inside, arguments[1])
    for block in body.blocks[1:]:
        for i in block.instructions:
            for operand in dict.fromkeys(i.operands):
                if operand in inside:
                    i.replace_operand(operand, inside[operand])
    b.br(loop.header)
    body.blocks.append(done)
    Builder(done).ret()
    driver = module.fresh_name(f"__ez_checkpointed.{plain_name(around.name)}")
    _call(found, preheader, exit_block, driver, live, closure)
    module.add_function(body)
    module.declare(driver, FunctionType(VOID, (PTR, I64)))
    return Iteration(body, driver, closure)


def _live_ins(found: StepLoop) -> list[Value]:
    """The values of the surrounding function that the loop uses: numbers first, then by descending size."""
    used = [o for block in found.loop.blocks_in_order for i in block.instructions for o in i.operands]
    starts = [variable.start for variable in found.variables.values()]
    live = dict.fromkeys(v for v in [*used, *starts] if live_in(v, found.loop))
    return sorted(live, key=lambda v: (not is_float(v.type), -alloc_size(v.type)))


def _move(found: StepLoop, body: Function, done: Block) -> None:
    loop = found.loop
    for block in loop.blocks_in_order:
        found.function.blocks.remove(block)
        body.blocks.append(block)
        block.function = body
        for i in block.instructions:
            i.forget_variables()
    last, behind = loop.exit_edges[0]
    following = next(s for s in last.successors if s is not behind)
    _replace_terminator(last, done if found.whole else following)
    if not found.whole:
        _replace_terminator(loop.latches[0], done)


def _replace_terminator(block: Block, target: Block) -> None:
    block.terminator.erase()
    Builder(block).br(target)


def _compute_variables(found: StepLoop, b: Builder, inside: dict[Value, Value], number: Value) -> None:
    """Replaces each induction variable by start + step * number, and erases instructions that are then unused."""
    for phi, variable in found.variables.items():
        start = inside.get(variable.start, variable.start)
        if isinstance(phi.type, IntType):
            far = b.mul(b.resize_int(number, phi.type), int_constant(variable.step, phi.type))
            value: Value = b.add(start, far)
        else:
            value = b.offset(start, b.mul(number, int_constant(variable.step)), ())
        phi.replace_uses(value)
        phi.erase()
    while unused := [i for k in found.loop.blocks for i in k.instructions if i.opcode in MAKES_VALUE and not i.users]:
        for i in unused:
            i.erase()


def _call(
    found: StepLoop, preheader: Block, exit_block: Block, driver: str, live: list[Value], closure: StructType
) -> None:
    place = Builder.first(found.function.entry).alloca(closure)
    terminator = preheader.terminator
    terminator.erase()
    b = Builder(preheader)
    for value, offset in zip(live, field_offsets(closure), strict=True):
        b.store(value, b.offset(place, offset))
    count = emit_last_iteration(b, found.count, found.count.start, found.count.bound)
    b.call(driver, VOID, (place, b.add(count, int_constant(1)) if found.whole else count))
    b.br(exit_block)
    inside = found.loop.blocks
    for phi in exit_block.phis:
        values = [(v, preheader if k in inside else k) for v, k in phi.incoming]
        merged = Instruction("phi", phi.type, [part for pair in values for part in pair])
        exit_block.insert(0, merged)
        phi.replace_uses(merged)
        phi.erase()
