"""The functions that examine pointers to foreign memory when a request begins or ends: one for each task."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ...ir.types import I64, PTR, VOID, FunctionType, Type
from ...ir.values import Argument, Function
from ..core.round import Round
from ..requests.request import Request
from .foreign_checks import emit_check, emit_named
from .foreign_code import ForeignFunction
from .foreign_shadows import emit_clear_heap, emit_remember, emit_resolve


class Task(Enum):
    """What a request does when it begins or ends. The value is the name of the function that does it.

    - RESOLVE: find the shadows of the pointers in active globals.
    - CHECK: refuse other globals that point at memory with a derivative.
    - NAMED: refuse arguments that lie in globals which differentiated code uses by name.
    - CLEAR_HEAP: clear the shadows of heap blocks before the reverse sweep of a split request.
    - REMEMBER: record the pointers for the next request.
    """

    RESOLVE = "@__ez_foreign_settle"
    CHECK = "@__ez_foreign_check"
    NAMED = "@__ez_foreign_named"
    CLEAR_HEAP = "@__ez_foreign_clear_heap"
    REMEMBER = "@__ez_foreign_remember"


def name_of(round: Round, task: Task, arguments: int, request: Request) -> str:
    """Returns the name of the function for a task, and makes the function if there is none yet.

    `arguments`: the number of the request's arguments with shadows.
    """
    key = task.value, arguments, request.width, request.kind
    made = round.foreign_code.functions
    if key not in made:
        made[key] = _make(round, task, arguments, request)
    return made[key]


def _make(round: Round, task: Task, arguments: int, request: Request) -> str:
    function = _empty_function(round.output.fresh_name(task.value), arguments, request.width)
    body = ForeignFunction(round, function, arguments, request)
    _EMITTERS[task](body)
    body.b.ret()
    round.enter(function)
    return function.name


def _empty_function(name: str, arguments: int, directions: int) -> Function:
    """Returns a function without code.

    Parameters: start, size and shadows of the memory behind each argument; then whether the request is outermost.
    """
    types: list[Type] = [*(type_ for _ in range(arguments) for type_ in (PTR, I64, *[PTR] * directions)), I64]
    given = [Argument(type_, "", "", k) for k, type_ in enumerate(types)]
    return Function(name, FunctionType(VOID, tuple(types)), given, "internal", "nounwind")


_EMITTERS: dict[Task, Callable[[ForeignFunction], None]] = {
    Task.RESOLVE: emit_resolve,
    Task.CHECK: emit_check,
    Task.NAMED: emit_named,
    Task.CLEAR_HEAP: emit_clear_heap,
    Task.REMEMBER: emit_remember,
}
