"""Which functions of our runtime a derivative may call that threads of a team run at the same time.

Functions that use tables of a thread have *twins*, which use those of the thread that made the request
(toolchain/runtime/teams_tables.c).
"""

from __future__ import annotations

from ...ir.constants import GlobalRef
from ...ir.values import Function, Instruction
from ...report.diagnostics import NotOnTeams
from ...rules import runtime_functions as runtime
from ...rules.runtime_functions import RUNTIME_FUNCTIONS

#: they use what the thread has alone: its arena, its stack, memory of which an operand is the address; or a table of
#: all threads, which has a lock; or they note atomically what comes first
_SAFE = frozenset(
    row.name
    for row in (
        runtime.ALLOCATE,
        runtime.PUSH_RECORD,
        runtime.FINISH,
        runtime.DEFER_FREE,
        runtime.OWNED_MADE,
        runtime.OWNED_FREED,
        runtime.REALLOCATE,
        runtime.ALLOCATE_ZEROED,
        runtime.KEPT_BY_REALLOC,
        runtime.COPY,
        runtime.CLEAR,
        runtime.COPY_ADJOINT,
        *runtime.COPY_ADJOINTS.values(),
        runtime.CHECK_CUT,
        runtime.NOTE_NUMBER,
        runtime.CHECK_POINTER,
        runtime.REFUSE_OUTGROWN,
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
        runtime.TEAM_REACHES,
        runtime.TEAM_REACHED,
        runtime.TEAM_ZONE_START,
        runtime.TEAM_ZONE_SIZE,
        runtime.TEAM_USED,
        runtime.TEAM_FLUSH,
        runtime.TEAM_DROP,
        runtime.TEAM_OPEN,
        runtime.TEAM_REVERSE,
        runtime.TEAM_BARRIER,
        runtime.TEAM_ENTER,
        runtime.TEAM_LEAVE,
        runtime.TEAM_ENTER_TO_ADD,
        runtime.TEAM_LEAVE_ADDED,
        runtime.TEAM_BARRIER_TAPED,
        runtime.TEAM_BARRIER_BACK,
        runtime.TEAM_WAIT,
        runtime.TEAM_WAIT_TAPED,
        runtime.TEAM_WAIT_BACK,
        runtime.TEAM_TASK,
        runtime.TEAM_DEPENDS,
        runtime.TEAM_HOLD_LIST,
        runtime.TEAM_RELEASE_LIST,
        runtime.TASK_MAKE,
        runtime.TASK_BACK,
        runtime.TEAM_ENTER_TAPED,
        runtime.TEAM_LEAVE_TAPED,
        runtime.TEAM_ENTER_BACK,
        runtime.TEAM_LEAVE_BACK,
    )
)

#: functions of tables, and what frees memory of which there are rows, and their twins
TWINS = {
    row.name: row.name.replace("__ez_", "__ez_team_", 1)
    for row in (
        runtime.FOREIGN_EXPECT,
        runtime.FOREIGN_NUMBER,
        runtime.FOREIGN_CLEAR,
        runtime.FOREIGN_FREE,
        runtime.FOREIGN_STORE,
        runtime.FOREIGN_LOAD,
        runtime.FOREIGN_ENTER,
        runtime.FOREIGN_COPY,
        runtime.FOREIGN_COPY_NUMBERS,
        runtime.HEAP_FREED,
        runtime.HEAP_RENEWED,
        runtime.REFUSE_OTHER_NAME,
        runtime.FORGET_NAME,
        runtime.MARK_ADJOINT,
        runtime.FINISH,
    )
}


def _called(i: Instruction) -> str:
    return i.callee.name.removeprefix("@") if i.is_call and isinstance(i.callee, GlobalRef) else ""


def call_twins(function: Function) -> None:
    """Calls twins in the place of functions that have them."""
    for i in function.instructions():
        name = _called(i)
        if name in TWINS:
            i.set_operand(len(i.operands) - 1, GlobalRef.of(f"@{TWINS[name]}"))


def check_calls_on_team(function: Function) -> None:
    """Raises `NotOnTeams` if a derivative calls another function of the runtime."""
    for i in function.instructions():
        name = _called(i)
        if name in RUNTIME_FUNCTIONS and name not in _SAFE:
            raise NotOnTeams(f"the derivative of a region calls {name}, which one thread must call")
