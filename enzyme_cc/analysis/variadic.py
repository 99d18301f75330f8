"""Variadic functions defined in the program: whether their extra arguments are only handed on to be printed."""

from __future__ import annotations

from ..ir.values import Function, Instruction
from .callees import CalleeKind, Callees, plain_name

_PASSING = frozenset(["getelementptr", "bitcast", "phi", "select"])


def only_prints(function: Function, callees: Callees) -> bool:
    """Whether the argument list is given to library functions (vprintf and its kin) alone, and never read here."""
    lists = [
        i.arguments[0]
        for i in function.instructions()
        if i.opcode == "call" and plain_name(callees.of(i).name).startswith("llvm.va_start")
    ]
    seen: set[Instruction] = set()
    work = [v for v in lists if isinstance(v, Instruction)]
    if len(work) != len(lists):
        return False
    while work:
        value = work.pop()
        if value in seen:
            continue
        seen.add(value)
        for user in value.users:
            if user.opcode in _PASSING:
                work.append(user)
            elif user.opcode != "call" or callees.of(user).kind not in (CalleeKind.INACTIVE, CalleeKind.STACK):
                return False
    return True
