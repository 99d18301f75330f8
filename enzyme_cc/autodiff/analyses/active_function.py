"""A function with its activity under one signature, and the signatures of its calls: enough to explore a round.

function_analyses.py adds the analyses from which derivatives are built, once the active globals are known.
"""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.callees import plain_name
from ...analysis.certain_blocks import certain_blocks
from ...analysis.integers.offsets import base_of
from ...analysis.memory.dead_writes import DeadWrites
from ...analysis.memory.shadow_state import is_reallocated, is_surely_shadowed
from ...analysis.references import is_constant_data
from ...analysis.region_calls import is_region_call
from ...ir.constants import GlobalRef
from ...ir.folding import is_zero
from ...ir.types import is_pointer
from ...ir.values import Argument, Block, Instruction, Value
from ...report.diagnostics import NotOnTeams
from ...rules.knowledge import CalleeKind
from ..core.round import ExploredRound
from ..core.signature import Signature, Team


class ActiveFunction:
    """A function that is differentiated. Its activity is final once the active globals are known."""

    def __init__(self, round: ExploredRound, signature: Signature) -> None:
        self.round = round
        self.signature = signature
        self.function = round.source.body(signature.function)
        self.flow = round.flow(self.function)
        self.activity = round.activity(signature)

    @cached_property
    def dead_writes(self) -> DeadWrites:
        """The function's writes to memory behind arguments whose contents nobody needs."""
        return self.round.dead_write_analysis.of_all(self.function, self.signature.unneeded)

    def is_certain(self, i: Instruction) -> bool:
        """True if every complete run of the function executes the instruction, loops counted as entered."""
        return i.block in self._certain_blocks

    @cached_property
    def _certain_blocks(self) -> frozenset[Block]:
        return certain_blocks(self.flow)

    def called(self, call: Instruction) -> Signature:
        """Returns the signature of the derivative that an active call needs, without facts about memory."""
        activity = self.activity
        arguments = tuple(map(activity.argument_activity, call.arguments))
        callee = activity.callees.of(call)
        if callee.name in self.round.registered.libraries:
            arguments = tuple(map(self._of_library, call.arguments, arguments))
        elif callee.kind is CalleeKind.CUSTOM:
            arguments = tuple(map(self._with_shadow, call.arguments, arguments))
        elif callee.kind is CalleeKind.DEFINED:
            arguments = tuple(map(self._as_used, self.round.source.body(callee.name).arguments, arguments))
        if call in activity.shadow_results:
            result = ResultActivity.BOTH if activity.active(call) else ResultActivity.SHADOW
        else:
            result = ResultActivity.ACTIVE if activity.active(call) else ResultActivity.NONE
        unneeded = tuple(k for k, a in enumerate(call.arguments) if a in self.dead_writes.pointers)
        wanted = Signature(callee.name, arguments, result, self.signature.directions, unneeded)
        if callee.kind is not CalleeKind.DEFINED:
            return wanted
        nulls = [k for k, a in enumerate(call.arguments) if is_pointer(a.type) and is_zero(a)]
        return self.round.with_null_shadows(wanted, nulls) if nulls else wanted

    def _as_used(self, parameter: Argument, activity: ArgumentActivity) -> ArgumentActivity:
        """Returns CONST in place of DUP for a parameter whose shadow the callee does not use.

        It is an integer that is no pointer, or a pointer through which integers are read. Otherwise, a callee would
        have a derivative for each combination of these with and without a shadow.
        """
        if activity is not ArgumentActivity.DUP:
            return activity
        carriers = self.activity.carriers
        is_used = carriers.uses.may_be_pointer(parameter) and not carriers.integer_reads.are_all(parameter)
        return activity if is_used else ArgumentActivity.CONST

    def _with_shadow(self, argument: Value, activity: ArgumentActivity) -> ArgumentActivity:
        """Returns DUP for constant data that a registered derivative is passed: it has a shadow of zeros."""
        is_data = isinstance(argument, GlobalRef) and is_constant_data(self.round.source, argument.name)
        return ArgumentActivity.DUP if is_data else activity

    @staticmethod
    def _of_library(argument: Value, activity: ArgumentActivity) -> ArgumentActivity:
        """Returns CONST for null: an option that is left out has no shadow."""
        return ArgumentActivity.CONST if is_zero(argument) else activity

    def team_of(self, call: Instruction) -> Team:
        """Returns which threads run what is called. Raises `NotOnTeams`.

        A region that one thread must run is called as any other function is, in a team of one.
        """
        if not (self.signature.team or is_region_call(call)):
            return Team.NONE
        callee = self.round.callees.of(call)
        if not self.signature.team and callee.name in self.round.alone:
            return Team.NONE
        if callee.kind is CalleeKind.CUSTOM:
            raise self.not_on_teams(f"a region calls {plain_name(callee.name)}, which has a registered derivative")
        if self.signature.team is Team.SHARED:
            return Team.SHARED
        return Team.WITHIN if self.signature.team else Team.REGION

    def not_on_teams(self, why: str) -> NotOnTeams:
        """Returns the exception that says that one thread must run the function."""
        return NotOnTeams(why, {self.function.name: why})

    def with_sure_shadows(self, call: Instruction, wanted: Signature) -> Signature:
        """Returns the signature for a call with what the call, and all others, ensure of shadows (sure_shadows.py).

        Without runtime activity, nobody asks for it.
        """
        if not self.round.options.runtime_activity:
            return wanted
        found = self.round.sure_shadows_of(wanted.without_memory)
        return replace(wanted, sure_shadows=tuple(k for k in found if self.passes_sure_shadow(call.arguments[k])))

    def passes_sure_shadow(self, argument: Value) -> bool:
        """True if the shadow of an argument is surely not the memory itself, or the argument is null.

        In forward mode, reallocated memory may be unshadowed.
        """
        if is_reallocated(self.activity, base_of(argument)):
            return False
        if is_zero(argument):
            return True
        is_sure = is_surely_shadowed(self.activity, self.signature.sure_shadows, argument)
        return is_sure and self.activity.shadowed(argument)

    def tangent_signature(self, call: Instruction) -> Signature:
        """Returns the signature of a call in forward mode, where active numbers are passed with their tangents.

        Its activity is the one that `called` has, so it makes no further global active. An argument that holds an
        active number and a pointer without a shadow stays OUT: DUP would say that the pointer has a shadow.
        """
        found = self.with_sure_shadows(call, self.called(call))
        parameters = self.round.source.body(found.function).arguments
        pairs = zip(found.arguments, parameters, strict=True)
        arguments = tuple(self._with_tangent(activity, p) for activity, p in pairs)
        return replace(found, arguments=arguments, team=self.team_of(call))

    def _with_tangent(self, activity: ArgumentActivity, parameter: Argument) -> ArgumentActivity:
        is_number = activity is ArgumentActivity.OUT and not self.activity.carriers.can_point(parameter)
        return ArgumentActivity.DUP if is_number else activity
