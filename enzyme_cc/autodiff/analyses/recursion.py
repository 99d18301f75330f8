"""Recursive calls: which calls lead back to their function, and whether their results are only summed.

If the reverse sweep of a recursive function called the whole gradient of the next level, and the primal sweep the next
level itself for its result, the time would be quadratic in the depth. So such calls are split, unless nothing but the
result of the whole function depends on their results: then the gradient leaves out the calls of the primal sweep.
"""

from __future__ import annotations

from ...analysis.activity.activity import Activity
from ...analysis.region_calls import runs_apart
from ...ir.graphs import reachable, strongly_connected
from ...ir.value_edges import MOVED_NUMBER
from ...ir.values import Instruction, Value
from ...rules.expression import OPERAND_NAMES
from ...rules.knowledge import CalleeKind
from ...rules.rule import Rule
from ...rules.table import INSTRUCTIONS
from ..core.round import ExploredRound
from ..core.signature import Signature
from .active_function import ActiveFunction


class Recursion:
    """The cycles of active calls among the signatures of one round. A cycle is found when it is first asked for."""

    def __init__(self, round: ExploredRound) -> None:
        self._round = round
        self._functions: dict[Signature, ActiveFunction] = {}
        self._found: dict[Signature, list[tuple[Instruction, Signature]]] = {}
        self._cycles: dict[Signature, frozenset[Signature]] = {}
        self._only_summed: dict[frozenset[Signature], bool] = {}

    def is_recursive(self, caller: Signature, callee: Signature) -> bool:
        """True if the callee, which the caller calls, leads back to the caller."""
        return callee.without_memory in self._cycle(caller.without_memory)

    def grows_stack(self, caller: Signature, call: Instruction, callee: Signature) -> bool:
        """True if the callee leads back to the caller, and no task is made on the way: the stack grows."""
        if runs_apart(call) or not self.is_recursive(caller, callee):
            return False

        def called(member: Signature) -> list[Signature]:
            return [callee for call, callee in self._calls(member) if not runs_apart(call)]

        return caller.without_memory in reachable([callee.without_memory], called)

    def is_reached(self, signature: Signature) -> bool:
        """True if a function that the signature's function reaches by active calls is recursive."""
        if not self._round.callees.has_body(signature.function):
            return False
        reached = reachable([signature.without_memory], lambda caller: [callee for _, callee in self._calls(caller)])
        return any(self.is_recursive(caller, callee) for caller in reached for _, callee in self._calls(caller))

    def only_sums_results(self, signature: Signature) -> bool:
        """True if no function of the signature's cycle does more than sum the results of recursive calls."""
        cycle = self._cycle(signature.without_memory)
        if cycle not in self._only_summed:
            self._only_summed[cycle] = all(self._sums_results(member, cycle) for member in cycle)
        return self._only_summed[cycle]

    def _sums_results(self, member: Signature, cycle: frozenset[Signature]) -> bool:
        calls = (call for call, callee in self._calls(member) if callee in cycle)
        return all(sums_of(call, self._function(member).activity) is not None for call in calls)

    def _cycle(self, signature: Signature) -> frozenset[Signature]:
        def called(caller: Signature) -> list[Signature]:
            return [callee for _, callee in self._calls(caller)]

        for members in strongly_connected(signature, called, self._cycles):
            self._cycles |= dict.fromkeys(members, frozenset(members))
        return self._cycles[signature]

    def _calls(self, caller: Signature) -> list[tuple[Instruction, Signature]]:
        """Returns the active calls of functions with a body, in order, with the signatures of their callees."""
        if caller not in self._found:
            function = self._function(caller)
            calls = (i for i in function.function.instructions() if i in function.activity.active_calls)
            defined = (i for i in calls if self._round.callees.of(i).kind is CalleeKind.DEFINED)
            self._found[caller] = [(i, function.called(i)) for i in defined]
        return self._found[caller]

    def _function(self, signature: Signature) -> ActiveFunction:
        if signature not in self._functions:
            self._functions[signature] = ActiveFunction(self._round, signature)
        return self._functions[signature]


def sums_of(call: Instruction, activity: Activity) -> set[Value] | None:
    """Returns the result and all that is computed from it, up to the function's result.

    None if the adjoint of any of that uses one of these values, or if they go elsewhere than to the function's result.
    """

    def users(i: Instruction) -> list[Instruction]:
        return [user for user in i.users if user.opcode != "ret"]

    found: set[Value] = set()
    for i in reachable([call], users):
        found.add(i)
        if not all(_is_linear(user, i, activity) for user in users(i)):
            return None
    return found


def _is_linear(i: Instruction, operand: Value, activity: Activity) -> bool:
    """True if neither the operand nor the result occurs in a partial derivative of the instruction."""
    if i.opcode in MOVED_NUMBER:
        return True
    rule, operands = _rule(i, activity)
    if rule is None or rule.kind not in ("plain", "cast") or rule.fields or rule.outputs:
        return False
    named = {name for name, value in zip(OPERAND_NAMES, operands, strict=False) if value is operand}
    partials = (p for p, value in zip(rule.partials, operands, strict=False) if activity.active(value))
    return not any(name.startswith("r") or name in named for partial in partials for name in partial.names)


def _rule(i: Instruction, activity: Activity) -> tuple[Rule | None, list[Value]]:
    if not i.is_call:
        return INSTRUCTIONS.get(i.opcode), i.operands
    callee = activity.callees.of(i)
    return (callee.rule if callee.kind is CalleeKind.RULE else None), i.arguments
