"""The list of the memory that a request names."""

from __future__ import annotations

from msgspec.structs import replace

from enzyme_cc.analysis.activity.activity import GlobalState
from enzyme_cc.autodiff.core.pointers import ForeignPointers
from enzyme_cc.autodiff.globals import named_memory
from enzyme_cc.autodiff.globals.foreign_memory import begin, enter
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.values import Function

from .requested import requested
from .test_foreign_functions import PROGRAM


def emitted(program: str = PROGRAM) -> list[str]:
    """The calls that a request makes before its derivative."""
    round, request = requested(program)
    begin(round, Builder.before(request.call), request)
    return calls(request.caller)


def calls(function: Function) -> list[str]:
    return [i.callee_name for i in function.instructions() if i.opcode == "call"]


def test_arguments_and_active_globals_are_named() -> None:
    found = emitted()
    assert found.count("@__ez_named_memory") == 3  # the argument, @buffer and @total
    assert found.index("@__ez_naming_begin") < found.index("@__ez_named_memory")


def test_lists_are_erased_if_no_derivative_looks_pointers_up() -> None:
    round, request = requested(PROGRAM)
    named_memory.end_naming(round, Builder.before(request.call))
    named_memory.forget_names(round)
    assert "@__ez_naming_end" in calls(request.caller)
    named_memory.forget_names(replace(round, foreign_pointers=ForeignPointers()))
    assert "@__ez_naming_end" not in calls(request.caller)


def test_a_request_around_external_memory_says_that_it_is_under_way() -> None:
    round, request = requested(PROGRAM)
    assert enter(round, Builder.before(request.call))[1] is not None
    round = replace(round, foreign_pointers=ForeignPointers(), state=GlobalState())
    assert enter(round, Builder.before(request.call))[1] is None
