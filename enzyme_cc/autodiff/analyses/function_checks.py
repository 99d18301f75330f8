"""Checks one function before its derivative is made: instructions that would lose a derivative are refused."""

from __future__ import annotations

from collections.abc import Container

from ...analysis.activity.unsupported import find_unsupported
from ...ir.values import Instruction, Value
from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules.knowledge import CalleeKind
from .custom_calls import custom_problems
from .function_analyses import FunctionAnalyses
from .shared_windows import shared_memory_problems


def check(analyses: FunctionAnalyses, copied: Container[Value] = ()) -> None:
    """Raises EnzymeError for instructions that would silently lose a derivative, and for calls without a derivative."""
    check_values(analyses, copied)
    problems = refused_calls(analyses)
    if problems:
        raise EnzymeError(problems)


def check_values(analyses: FunctionAnalyses, copied: Container[Value] = ()) -> None:
    """Raises EnzymeError for instructions that would silently lose a derivative.

    `copied`: values whose shadow is copied; a store of such a value loses nothing.
    """
    found = [
        *find_unsupported(analyses.activity),
        *custom_problems(analyses),
        *shared_memory_problems(analyses),
    ]
    found = [(i, why) for i, why in found if i.opcode != "store" or i.operands[0] not in copied]
    problems = [d for i, why in found for d in analyses.refusal(i, why).diagnostics]
    if problems:
        raise EnzymeError([*problems, *refused_calls(analyses)])


def refused_calls(analyses: FunctionAnalyses) -> list[Diagnostic]:
    """Returns a diagnostic for each active call whose derivative is unknown."""
    calls = [i for i in analyses.function.instructions() if _has_no_derivative(analyses, i)]
    return [diagnostic for call in calls for diagnostic in analyses.refusal(call).diagnostics]


def _has_no_derivative(analyses: FunctionAnalyses, call: Instruction) -> bool:
    if call not in analyses.activity.active_calls:
        return False
    kind = analyses.activity.callees.of(call).kind
    return kind in (CalleeKind.UNKNOWN, CalleeKind.ASM) or (
        kind is CalleeKind.INDIRECT and call.call.function_type.vararg
    )
