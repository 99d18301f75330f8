"""Captures of a region that nobody reads: the derivative does not need the sums that a region adds to them.

A gradient is not asked for the function's result. If that is all that a sum ends in, as a reduction often does, the
primal sweep leaves out what the region writes there. In one thread, LLVM finds that itself; it does not see what a fork
passes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.activity.activity import Activity
from ...analysis.callees import plain_name
from ...analysis.memory.dead_writes import DeadWriteAnalysis
from ...analysis.region_calls import LEADING, is_region_call
from ...ir.graphs import reachable
from ...ir.instructions import INSTRUCTIONS
from ...ir.module import Module
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.knowledge import CalleeKind
from .recursion import sums_of

_SECTIONS = {runtime.TEAM_ENTER_TO_ADD.name: runtime.TEAM_LEAVE_ADDED.name}
_LIFETIME = "llvm.lifetime."


class UnreadCaptures:
    """Finds them in one function, whose combined derivative does not return the function's result."""

    def __init__(self, module: Module, activity: Activity, dead_writes: DeadWriteAnalysis) -> None:
        self._module, self._activity, self._dead_writes = module, activity, dead_writes

    def of(self, call: Instruction) -> tuple[int, ...]:
        """Returns the numbers of the arguments of a region's call that are addresses of such variables."""
        return tuple(k for k, a in enumerate(call.arguments) if k >= LEADING and self._is_unread(a))

    def _is_unread(self, variable: Value) -> bool:
        if not isinstance(variable, Instruction) or variable.opcode != "alloca":
            return False

        def addresses(pointer: Instruction) -> list[Instruction]:
            return [user for user in pointer.users if user.opcode == "getelementptr"]

        return all(
            self._reads_nothing(user, pointer)
            for pointer in reachable([variable], addresses)
            for user in pointer.users
            if user.opcode != "getelementptr"
        )

    def _reads_nothing(self, user: Instruction, pointer: Value) -> bool:
        """True for a write, and for a read of which only the function's result depends."""
        if user.opcode == "store":
            return user.operands[0] is not pointer and not user.flags
        if user.opcode == "load":
            return not user.flags and sums_of(user, self._activity) is not None
        if user.opcode != "call":
            return False
        places = [k for k, a in enumerate(user.arguments) if a is pointer]
        callee = self._activity.callees.of(user)
        if plain_name(callee.name).startswith(_LIFETIME):
            return True
        if callee.kind is CalleeKind.FILL:
            return places == [0]
        if not is_region_call(user) or callee.kind is not CalleeKind.DEFINED:
            return False
        parameters = self._module.body(callee.name).arguments
        return all(k >= LEADING and self._dead_writes.of(parameters[k]) is not None for k in places)


def empty_sections(function: Function, left_out: set[Instruction]) -> Iterator[Instruction]:
    """Yields the calls that begin and end sections which only add to what nobody reads."""
    for block in function.blocks:
        begin: Instruction | None = None
        for i in block.instructions:
            name = plain_name(i.callee_name)
            if name in _SECTIONS:
                begin = i
            elif begin is not None and name == _SECTIONS[plain_name(begin.callee_name)]:
                if i.arguments[1] == begin.arguments[1]:
                    yield from (begin, i)
                begin = None
            elif i not in left_out and (i.is_call or INSTRUCTIONS[i.opcode].reads or INSTRUCTIONS[i.opcode].writes):
                begin = None
