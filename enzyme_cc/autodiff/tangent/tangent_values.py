"""Tangents of values: of arithmetic and known functions by the rules table; of casts, selects, vectors and aggregates.

The tangent of a result is the sum, over the operands, of partial times tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial as partial_function

from ...analysis.activity.joined_words import joined_words
from ...ir.folding import int_constant, zero
from ...ir.instructions import MOVES_BITS
from ...ir.leaves import scalar_leaves
from ...ir.types import alloc_size, is_float, is_pointer, store_size
from ...ir.values import Instruction, Value
from ...rules import complex as complex_rules
from ...rules import reduce as reduce_rules
from ...rules.expression import Expression
from ...rules.rule import Rule
from ...rules.table import INSTRUCTIONS
from ..emit.moved_bits import origins, sets_sign
from ..emit.partials import environment
from ..emit.shadow_access.lost_bits import refuse_joined
from ..emit.shadow_access.number_places import purpose_of_store
from .tangent_cloning import TangentCloning

#: instructions that only move numbers: the tangent is made by the same instruction, of the tangents of these operands
SHADOWED_OPERANDS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("fpext", "fptrunc", "freeze", "bitcast", "trunc", "zext", "sext"), (0,)),
    **dict.fromkeys(("lshr", "ashr", "shl", "and"), (0,)),
    **dict.fromkeys(("or", "xor", "add", "sub"), (0, 1)),
    "select": (1, 2),
    "extractelement": (0,),
    "insertelement": (0, 1),
    "shufflevector": (0, 1),
    "extractvalue": (0,),
    "insertvalue": (0, 1),
}


def tangent_of_move(sweep: TangentCloning, i: Instruction) -> Value:
    """Returns the same instruction on tangents. If it changes the sign of a number, it changes that of the tangent."""
    if words := joined_words(i):
        refuse_joined(sweep.round, sweep.b, i, [sweep.shadow_of(w) for w in words if sweep.activity.active(w)])
        return zero(i.type)
    signs = _signs_that_change(sweep, i) if i.opcode in MOVES_BITS else 0
    if not signs:
        return same_of_shadows(sweep, i)
    operands = _operands(sweep, i)
    mask = int_constant(signs, i.type)
    primal = sweep.b.int_op("and", sweep.of(i.operands[0]), mask)
    if i.opcode == "and":  # |x|: where x is negative
        kept = sweep.clone(i, [operands[0], sweep.b.int_op("or", operands[1], mask)])
        return sweep.b.int_op("xor", kept, primal)
    flipped = mask if i.opcode == "xor" else sweep.b.int_op("xor", primal, mask)
    return sweep.b.int_op("xor", sweep.clone(i, operands), flipped)


def same_of_shadows(sweep: TangentCloning, i: Instruction) -> Value:
    """Returns the instruction on the shadows of the operands that it moves."""
    return sweep.clone(i, _operands(sweep, i))


def _operands(sweep: TangentCloning, i: Instruction) -> list[Value]:
    shadowed = SHADOWED_OPERANDS[i.opcode]
    return [sweep.shadow_of(o) if k in shadowed else sweep.of(o) for k, o in enumerate(i.operands)]


def _signs_that_change(sweep: TangentCloning, i: Instruction) -> int:
    """The sign bits that a cast, shift or mask sets or flips. Raises EnzymeError if it takes a number apart."""
    carriers = sweep.activity.carriers
    type_ = carriers.adjoint_type(i)
    assert type_ is not None
    signs = 0
    for leaf, offset in scalar_leaves(type_):
        if sets_sign(i, offset, store_size(leaf)):
            signs |= 1 << (8 * (offset + store_size(leaf)) - 1)
            continue
        for operand, at in origins(sweep.analyses, i, offset, alloc_size(leaf)):
            source = carriers.adjoint_type(operand)
            if sweep.activity.active(operand) and source is not None and (leaf, at) not in scalar_leaves(source):
                raise sweep.analyses.refusal(i, "it reinterprets the bits of a number that carries a derivative")
    return signs


def tangent_of_arithmetic(sweep: TangentCloning, i: Instruction) -> Value:
    """Returns the tangent of floating-point arithmetic."""
    rule = INSTRUCTIONS.get(i.opcode)
    if rule is None:
        raise sweep.analyses.refusal(i)
    return _weighted(sweep, i, rule.partials, i.operands)


def _weighted(sweep: TangentCloning, i: Instruction, partials: Sequence[Expression], operands: list[Value]) -> Value:
    """The sum of partial times tangent over the operands, in the type of the first floating-point operand."""
    type_ = i.type if is_float(i.type) else next(o.type for o in operands if is_float(o.type))
    total: Value = zero(type_)
    for operand, partial in zip(operands, partials, strict=False):
        if sweep.activity.active(operand) and not partial.is_zero:
            env = partial_function(environment, sweep.b, sweep.of, i, partial, operands)
            total = sweep.plus(total, sweep.shadow_of(operand), partial, env)
    return total


# -- calls of known functions


def tangent_of_rule_call(sweep: TangentCloning, i: Instruction) -> None:
    """Emits the tangents of a call of a function with a row in the table: of its result, and of what it stores."""
    rule = sweep.activity.callees.of(i).rule
    assert rule is not None
    if rule.kind == "complex" and any(is_pointer(o.type) for o in i.arguments):
        raise sweep.analyses.refusal(i, "it passes complex numbers of long double by reference")
    for k, partials in rule.outputs.items():
        if sweep.activity.shadowed(i.arguments[k]):
            carries = any(map(sweep.activity.active, i.arguments))
            tangent = _weighted(sweep, i, partials, i.arguments)
            target = sweep.memory.place(i, i.arguments[k], store_size(tangent.type), purpose_of_store(carries))
            sweep.b.store(tangent, target)
    if sweep.activity.active(i):
        kind = "fields" if rule.fields and rule.kind == "plain" else rule.kind
        sweep.shadow[i] = _BY_KIND[kind](sweep, i, rule)


def _plain(sweep: TangentCloning, i: Instruction, rule: Rule) -> Value:
    return _weighted(sweep, i, rule.partials, i.arguments)


def _fields(sweep: TangentCloning, i: Instruction, rule: Rule) -> Value:
    """Struct results: llvm.sincos, llvm.modf, llvm.frexp."""
    out: Value = zero(i.type)
    for k, partials in enumerate(rule.fields):
        if not all(p.is_zero for p in partials):
            out = sweep.b.insert_value(out, _weighted(sweep, i, partials, i.arguments), k)
    return out


def _reduction(sweep: TangentCloning, i: Instruction, rule: Rule) -> Value:
    """Vector reductions to a number."""
    b = sweep.b
    total: Value = zero(i.type)
    operands = [sweep.of(o) for o in i.arguments]
    for operand, partial in zip(i.arguments, reduce_rules.partials(rule, b, operands, sweep.of(i)), strict=True):
        if not sweep.activity.active(operand):
            continue
        total = sweep.plus_reduced(total, sweep.shadow_of(operand), partial)
    return total


def _complex(sweep: TangentCloning, i: Instruction, rule: Rule) -> Value:
    """Complex functions, component by component."""
    b = sweep.b
    operands = [c for o in i.arguments for c in complex_rules.components(b, sweep.of(o))]
    env = complex_rules.environment(operands, complex_rules.components(b, sweep.of(i)))
    tangents = [c for o in i.arguments for c in complex_rules.components(b, sweep.shadow_of(o))]
    parts: list[Value] = []
    for row, type_ in zip(rule.fields or (rule.partials,), complex_rules.component_types(i.type), strict=True):
        total: Value = zero(type_)
        for tangent, partial in zip(tangents, row, strict=False):
            if not partial.is_zero:
                total = sweep.plus(total, tangent, partial, lambda: env)
        parts.append(total)
    return complex_rules.assemble(b, parts, i.type)


_BY_KIND: dict[str, Callable[[TangentCloning, Instruction, Rule], Value]] = {
    "plain": _plain,
    "cast": _plain,
    "fields": _fields,
    "reduce": _reduction,
    "complex": _complex,
}
