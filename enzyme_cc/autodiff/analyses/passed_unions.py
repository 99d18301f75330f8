"""Finds calls that pass or return unions in registers: a number at one time, something else at another.

An integer, a pointer or a number in a register has one adjoint or shadow at most, by its type. In memory, unions are
differentiated. So the functions that are called this way are inlined (optimise/force_inlining.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...analysis.callees import CalleeKind, Callees
from ...analysis.type_analysis.analysis import Kind, TypeAnalysis
from ...ir.constants import Constant
from ...ir.graphs import reachable
from ...ir.types import FloatType, IntType, PointerType
from ...ir.values import Function, Instruction, Value

_AGGREGATES = ("insertvalue", "extractvalue", "phi", "select", "freeze")


def functions_given_unions(callees: Callees, types: TypeAnalysis, functions: Iterable[Function]) -> set[str]:
    """Returns the functions with bodies that other functions of these give a union in a register, or get one from."""
    found: set[str] = set()
    for function in functions:
        for i in function.instructions():
            callee = callees.of(i) if i.opcode == "call" else None
            if callee is None or callee.kind is not CalleeKind.DEFINED or callee.name in {*found, function.name}:
                continue
            body = callees.module.functions[callee.name]
            passed = [*i.arguments, *body.arguments, *_parts(i), *(p for r in _results(body) for p in _parts(r))]
            if any(_is_union(types, value) for value in passed):
                found.add(callee.name)
    return found


def _results(function: Function) -> Iterator[Value]:
    return (i.operands[0] for i in function.instructions() if i.opcode == "ret" and i.operands)


def _parts(value: Value) -> Iterator[Value]:
    """Yields the value, and what is put into it or taken out of it if it is a struct."""

    def related(v: Value) -> Iterable[Value]:
        if not isinstance(v, Instruction):
            return ()
        inside = v.operands if v.opcode in _AGGREGATES else []
        return [*inside, *(u for u in v.users if u.opcode == "extractvalue")]

    return reachable([value], related)


def _is_union(types: TypeAnalysis, value: Value) -> bool:
    """Returns whether the value in the register may be a number, and also something else."""
    if isinstance(value, Constant):
        return False
    if isinstance(value.type, IntType):
        return types.value_kind(value) is Kind.CONFLICT and types.may_be_number(value)
    users = getattr(value, "users", ())
    if isinstance(value.type, PointerType):
        return any(u.opcode == "ptrtoint" and types.may_be_number(u) for u in users)
    if isinstance(value.type, FloatType):
        bits = (u for u in users if u.opcode == "bitcast" and isinstance(u.type, IntType))
        return any(types.value_kind(u) is Kind.CONFLICT and types.may_be_number(u) for u in bits)
    return False
