"""Adjoints by the rules table: of arithmetic instructions, and of calls of known math functions."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.folding import zero
from ...ir.types import VectorType, is_float, is_pointer
from ...ir.values import Instruction, Value
from ...rules import complex as complex_rules
from ...rules import reduce as reduce_rules
from ...rules.expression import Expression
from ...rules.rule import Rule
from ...rules.table import INSTRUCTIONS
from ..emit.partials import environment, times
from .reverse_values import ReverseValues


def adjoint_of_arithmetic(sweep: ReverseValues, i: Instruction) -> None:
    """Adds the adjoints of the operands of floating-point arithmetic."""
    partials, adjoint = INSTRUCTIONS[i.opcode].partials, sweep.take(i)
    if i.opcode == "fmul" and i.operands[0] is i.operands[1]:  # LLVM doubles the adjoint once for several squares
        _scatter(sweep, i, partials[:1], i.operands, sweep.b.fadd(adjoint, adjoint))
    else:
        _scatter(sweep, i, partials, i.operands, adjoint)


def adjoint_of_rule_call(sweep: ReverseValues, i: Instruction) -> None:
    """Emits the adjoint of a call of a function with a row in the table."""
    rule = sweep.activity.callees.of(i).rule
    assert rule is not None
    if i in sweep.activity.active_calls:
        _outputs(sweep, i, rule)
    if not sweep.is_active(i):
        return
    if rule.kind == "complex":
        _complex(sweep, i, rule)
    elif rule.kind == "reduce":
        _reduction(sweep, i, rule)
    elif rule.fields:
        _fields(sweep, i, rule)
    else:
        _scatter(sweep, i, rule.partials, i.arguments, sweep.take(i))


def _scatter(
    sweep: ReverseValues, i: Instruction, partials: Sequence[Expression], operands: list[Value], adjoint: Value
) -> None:
    """Adds adjoint times each partial to the adjoint of the operand."""
    for operand, partial in zip(operands, partials, strict=False):
        if sweep.is_active(operand) and not partial.is_zero:
            env = environment(sweep.b, sweep.of, i, partial, operands)
            guarded = sweep.analyses.may_spoil_zero(i, partial, operands)
            contribution = times(sweep.b, adjoint, partial, env, guarded)
            sweep.add(operand, sweep.b.resize_float(contribution, operand.type))


def _outputs(sweep: ReverseValues, i: Instruction, rule: Rule) -> None:
    """Handles numbers that the function stores through pointers (sincos, modf)."""
    type_ = next(o.type for o in i.arguments if is_float(o.type))
    for k, partials in rule.outputs.items():
        if sweep.activity.shadowed(i.arguments[k]):
            _scatter(sweep, i, partials, i.arguments, sweep.memory.take_output(i, i.arguments[k], type_))


def _fields(sweep: ReverseValues, i: Instruction, rule: Rule) -> None:
    """Handles struct results (llvm.sincos, llvm.modf, llvm.frexp)."""
    adjoint = sweep.take(i)
    for k, partials in enumerate(rule.fields):
        if not all(p.is_zero for p in partials):
            _scatter(sweep, i, partials, i.arguments, sweep.b.extract_value(adjoint, k))


def _reduction(sweep: ReverseValues, i: Instruction, rule: Rule) -> None:
    """Handles vector reductions: the adjoint of a lane is its partial times the adjoint of the result."""
    adjoint = sweep.take(i)
    linear = rule.name.endswith("fadd")
    operands = i.arguments if linear else [sweep.of(o) for o in i.arguments]
    result = operands[0] if linear else sweep.of(i)
    for operand, partial in zip(i.arguments, reduce_rules.partials(rule, sweep.b, operands, result), strict=True):
        if sweep.is_active(operand):
            spread = sweep.b.splat(adjoint, partial.type) if isinstance(partial.type, VectorType) else adjoint
            sweep.add(operand, sweep.b.fmul(spread, partial))


def _complex(sweep: ReverseValues, i: Instruction, rule: Rule) -> None:
    """Handles complex functions, component by component."""
    if any(is_pointer(o.type) for o in i.arguments):
        raise sweep.analyses.refusal(i, "it passes complex numbers of long double by reference")
    b = sweep.b
    needed = {name for partial in rule.every_partial for name in partial.names}
    operands = [c for o in i.arguments for c in complex_rules.components(b, sweep.of(o))]
    results: list[Value] = [zero(operands[0].type)] * 2
    if any(name.startswith("r") for name in needed):
        results = complex_rules.components(b, sweep.of(i))
    env = complex_rules.environment(operands, results)
    adjoints = complex_rules.components(b, sweep.take(i))
    rows = rule.fields or (rule.partials,)
    sums: list[Value] = [zero(o.type) for o in operands]
    for adjoint, row in zip(adjoints, rows, strict=True):
        for j, partial in enumerate(row[: len(sums)]):
            if not partial.is_zero:
                guarded = sweep.analyses.may_be_unselected(i)
                sums[j] = b.fadd(sums[j], times(b, adjoint, partial, env, guarded))
    for operand in i.arguments:
        count = len(complex_rules.component_types(operand.type))
        parts, sums = sums[:count], sums[count:]
        if sweep.is_active(operand):
            sweep.add(operand, complex_rules.assemble(b, parts, operand.type))
