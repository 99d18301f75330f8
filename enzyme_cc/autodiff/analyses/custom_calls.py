"""Checks calls of functions with registered derivatives.

A registered derivative takes a shadow for each pointer and adds to it. Constant memory has no shadow:

- If it holds only integers or nothing, it is passed as its own shadow, since the derivative adds nothing to it.
- If it may hold numbers, the call is refused. With `enzyme_runtime_activity`, it is passed as its own shadow, which the
  derivative compares.

Derivatives of library functions take null for the shadow of constant memory, and functions of handles take the memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.callees import plain_name
from ...analysis.type_analysis.analysis import Kind, Layout
from ...ir.constants import ConstantString, ConstantWord, GlobalRef
from ...ir.types import is_float, is_pointer
from ...ir.values import Instruction, Value
from ...rules.knowledge import CalleeKind
from ..core.round import Round
from .function_analyses import FunctionAnalyses


def custom_problems(analyses: FunctionAnalyses) -> Iterator[tuple[Instruction, str]]:
    """Yields the active calls of such functions that must be refused, each with the reason."""
    registered = analyses.round.registered
    unchecked = {*registered.libraries, *registered.handles}
    for i in analyses.function.instructions():
        if i not in analyses.activity.active_calls:
            continue
        callee = analyses.activity.callees.of(i)
        if callee.kind is CalleeKind.CUSTOM and callee.name not in unchecked:
            pairs = zip(i.arguments, analyses.call_signature(i).arguments, strict=True)
            for number, (argument, activity) in enumerate(pairs, 1):
                why = _problem(analyses.round, argument, activity)
                if why is not None:
                    yield i, f"{plain_name(callee.name)} has a derivative of its own, and argument {number} {why}"


def _problem(round: Round, argument: Value, activity: ArgumentActivity) -> str | None:
    if activity is ArgumentActivity.OUT and not is_float(argument.type):
        return "packs numbers in an integer or a struct"
    is_constant = activity is ArgumentActivity.CONST and is_pointer(argument.type)
    if is_constant and not round.options.shadows_compared and not is_shadow_of_itself(round, argument):
        return "is a pointer without a shadow here (constant memory that may hold numbers)"
    return None


def is_shadow_of_itself(round: Round, pointer: Value) -> bool:
    """True if nothing is ever added behind a pointer: null, a function, a string, or memory without numbers."""
    if isinstance(pointer, ConstantWord):
        return True
    if isinstance(pointer, GlobalRef):
        variable = round.source.globals.get(pointer.name)
        if variable is None or isinstance(variable.initializer, ConstantString):
            return True
    layouts = [round.types.contents(pointer, size).layout for size in (4, 8)]
    return any(layout is not None and _is_plain(layout) for layout in layouts)


def _is_plain(layout: Layout) -> bool:
    return bool(layout.segments) and all(segment.kind is Kind.INTEGER for segment in layout.segments)
