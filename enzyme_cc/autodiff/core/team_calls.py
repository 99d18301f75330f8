"""Which functions of our runtime a derivative may call that threads of a team run at the same time."""

from __future__ import annotations

from ...ir.constants import GlobalRef
from ...ir.values import Function
from ...report.diagnostics import NotOnTeams
from ...rules import runtime_functions as runtime
from ...rules.runtime_functions import RUNTIME_FUNCTIONS

#: they use what the thread has alone: its arena, its stack, memory of which an operand is the address
_SAFE = frozenset(
    row.name
    for row in (
        runtime.ALLOCATE,
        runtime.PUSH_RECORD,
        runtime.FINISH,
        runtime.DEFER_FREE,
        runtime.REALLOCATE,
        runtime.ALLOCATE_ZEROED,
        runtime.KEPT_BY_REALLOC,
        runtime.COPY,
        runtime.CLEAR,
        runtime.COPY_ADJOINT,
        *runtime.COPY_ADJOINTS.values(),
        runtime.CHECK_CUT,
        runtime.FORGET_NAME,  # globals/named_memory.py
        runtime.UNKNOWN_FUNCTION,
        runtime.FUNCTION_NUMBER,
        runtime.REFUSE_FUNCTION,
        runtime.NOT_DIFFERENTIABLE,
        runtime.REFUSE,
        runtime.PRIMAL_ONLY,
        runtime.BEYOND_STAND_IN,
        runtime.ALIKE,
        runtime.OTHER_TYPE,
        *runtime.TEAM_ADDITIONS.values(),
        *runtime.TEAM_COPY_ADJOINTS.values(),
        runtime.TEAM_COPY,
        runtime.TEAM_USED,
        runtime.TEAM_FLUSH,
        runtime.TEAM_DROP,
        runtime.TEAM_OPEN,
        runtime.TEAM_SIZE,
        runtime.TEAM_BARRIER,
        runtime.TEAM_ENTER,
        runtime.TEAM_LEAVE,
        runtime.TEAM_BARRIER_TAPED,
        runtime.TEAM_ENTER_TAPED,
        runtime.TEAM_LEAVE_TAPED,
        runtime.TEAM_ENTER_BACK,
        runtime.TEAM_LEAVE_BACK,
    )
)


def check_calls_on_team(function: Function) -> None:
    """Raises `NotOnTeams` if a derivative calls another function of the runtime."""
    for i in function.instructions():
        name = i.callee.name.removeprefix("@") if i.is_call and isinstance(i.callee, GlobalRef) else ""
        if name in RUNTIME_FUNCTIONS and name not in _SAFE:
            raise NotOnTeams(f"the derivative of a region calls {name}, which one thread must call")
