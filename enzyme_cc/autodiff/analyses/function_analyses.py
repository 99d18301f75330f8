"""One function with the activities of one signature: its analyses, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.activity.unsupported import find_unsupported
from ...analysis.callees import CalleeKind
from ...analysis.memory.facts import EVERYTHING
from ...analysis.memory.repeatable import is_repeatable
from ...analysis.memory.written_only import Unwanted
from ...analysis.references import is_constant_data
from ...analysis.storage.needs import Recipes
from ...analysis.storage.reversal import Reversal
from ...analysis.storage.store_log import StoreLog
from ...ir.types import is_pointer
from ...ir.values import GlobalRef, Instruction, Value
from ...report.diagnostics import Diagnostic, EnzymeError
from ..core.signature import Signature
from . import refusals
from .custom_calls import custom_problems

if TYPE_CHECKING:
    from ..core.round import Session


class Analysed:
    """The analyses, for the combined or the split form."""

    def __init__(self, session: Session, signature: Signature, split: bool) -> None:
        self.session = session
        self.signature = signature
        self.split = split
        self.function = session.source.body(signature.function)
        self.flow = session.flow(self.function)
        self.facts = session.facts(self.function)
        self.undone: set[Instruction] = set()
        self._signatures: dict[Instruction, Signature] = {}
        self.activity = session.activity(signature)

    @cached_property
    def reversal(self) -> Reversal:
        return Reversal(self.function, self.flow, lambda i: i in self.undone or self.has_reverse_work(i))

    def undo_also(self, writes: Iterable[Instruction]) -> None:
        """The reverse sweep has to come to these writes too: it undoes them, though they have no adjoint."""
        self.undone.update(writes)
        del self.reversal, self.recipes

    @cached_property
    def recipes(self) -> Recipes:
        log = StoreLog(
            self.flow,
            self.facts,
            self.session.callees,
            self.reversal,
            self.unwanted.writes,
            self.activity.active_calls,
            self.split,
            self.signature.held or self.session.options.differentiated_again,
        )
        return Recipes(
            self.function,
            self.flow,
            self.activity,
            self.reversal,
            self._intact,
            log,
            self.split,
            shadows_stay=not self._runs_again,
        )

    @property
    def _runs_again(self) -> bool:
        """Whether the reverse sweep may run several times over one tape."""
        return self.signature.held and self.session.options.tapes_used_again

    def _intact(self, load: Instruction) -> bool:
        if self.facts.overwritten_after(load) is not None:
            return False
        return self._is_left_alone(load.operands[0])

    def _is_left_alone(self, pointer: Value) -> bool:
        """Whether no caller writes there between the two sweeps."""
        return not self.split or self.facts.stays(pointer, self.signature.stays)

    def _stays(self, call: Instruction) -> tuple[int, ...]:
        """Behind which arguments of a call nothing is written after it, by this function or its callers."""
        if self.signature.held:
            return ()
        found = [k for k, a in enumerate(call.arguments) if is_pointer(a.type) and self._stays_behind(a, call)]
        if not self.facts.anything_written_behind(call) and (not self.split or EVERYTHING in self.signature.stays):
            found.append(EVERYTHING)
        return tuple(found)

    def _stays_behind(self, pointer: Value, call: Instruction) -> bool:
        return self._is_left_alone(pointer) and self.facts.overwritten_behind(pointer, call) is None

    @cached_property
    def unwanted(self) -> Unwanted:
        return self.session.written_only.unwanted(self.function, self.signature.unwanted)

    def call_signature(self, call: Instruction) -> Signature:
        """What an active call of a defined function asks for."""
        if call not in self._signatures:
            late = self.is_late(call)
            self._signatures[call] = replace(
                self.called(call), held=self.signature.held and not late, stays=() if late else self._stays(call)
            )
        return self._signatures[call]

    def called(self, call: Instruction) -> Signature:
        """The same without what it says of memory and tapes."""
        activity = self.activity
        arguments = tuple(map(activity.argument_activity, call.arguments))
        if activity.callees.of(call).kind is CalleeKind.CUSTOM:
            arguments = tuple(map(self._with_shadow, call.arguments, arguments))
        if call in activity.shadow_results:
            result = ResultActivity.BOTH if activity.active(call) else ResultActivity.SHADOW
        else:
            result = ResultActivity.ACTIVE if activity.active(call) else ResultActivity.NONE
        unwanted = tuple(k for k, a in enumerate(call.arguments) if a in self.unwanted.pointers)
        return Signature(activity.callees.of(call).name, arguments, result, self.signature.directions, unwanted)

    def _with_shadow(self, argument: Value, activity: ArgumentActivity) -> ArgumentActivity:
        """Constant data that a registered derivative is given has a shadow of its own."""
        is_data = isinstance(argument, GlobalRef) and is_constant_data(self.session.source, argument.name)
        return ArgumentActivity.DUP if is_data else activity

    def has_reverse_work(self, i: Instruction) -> bool:
        """Beside adjoints: where a reverse sweep may run again over its tape, it leaves shadows as it found them."""
        if self._runs_again and i in self.activity.objects:
            return True
        return self.activity.has_reverse_work(i)

    def tangent_signature(self, call: Instruction) -> Signature:
        """The same in forward mode: tangents are passed beside numbers."""
        found = self.called(call)
        dup = {ArgumentActivity.OUT: ArgumentActivity.DUP}
        return replace(found, arguments=tuple(dup.get(a, a) for a in found.arguments))

    def is_late(self, call: Instruction) -> bool:
        """Whether the callee is differentiated wholly in the reverse sweep: it writes nothing, and what it reads is
        still there."""
        callee = self.session.callees.of(call)
        if callee.kind is CalleeKind.CUSTOM or callee.name in self.session.mixed_functions:
            return False
        if call in self.activity.shadow_results:
            return False
        if self._runs_again and any(map(self.activity.shadowed, call.arguments)):
            return False  # it would look for pointers in shadows
        return is_repeatable(self.session.source, self.facts, call, self._is_left_alone)

    @cached_property
    def _unselected(self) -> set[Instruction]:
        """Instructions whose value may be discarded by a select: LLVM hoists cheap code out of branches."""
        found: set[Instruction] = set()
        work = [o for i in self.function.instructions() if i.opcode == "select" for o in i.operands[1:]]
        while work:
            value = work.pop()
            if isinstance(value, Instruction) and value not in found and value.opcode not in ("phi", "load"):
                found.add(value)
                work.extend(value.operands)
        return found

    def may_be_unselected(self, i: Instruction) -> bool:
        return self.session.options.strong_zero or i in self._unselected

    def check(self, copied: Container[Value] = ()) -> None:
        """Raises EnzymeError for what would silently lose a derivative, and calls of which nobody knows it."""
        self.check_values(copied)
        problems = self.refused_calls()
        if problems:
            raise EnzymeError(problems)

    def check_values(self, copied: Container[Value] = ()) -> None:
        """Raises EnzymeError for what would silently lose a derivative. `copied`: values whose shadow is copied."""
        found = [*find_unsupported(self.activity), *custom_problems(self)]
        found = [(i, why) for i, why in found if i.opcode != "store" or i.operands[0] not in copied]
        problems = [d for i, why in found for d in self.refusal(i, why).diagnostics]
        if problems:
            raise EnzymeError([*problems, *self.refused_calls()])

    def refused_calls(self) -> list[Diagnostic]:
        """What is wrong with calls of which nobody knows the derivative."""
        calls = [i for i in self.function.instructions() if self._has_no_derivative(i)]
        return [diagnostic for call in calls for diagnostic in self.refusal(call).diagnostics]

    def _has_no_derivative(self, call: Instruction) -> bool:
        if call not in self.activity.active_calls:
            return False
        kind = self.activity.callees.of(call).kind
        return kind in (CalleeKind.UNKNOWN, CalleeKind.ASM) or (
            kind is CalleeKind.INDIRECT and call.call.function_type.vararg
        )

    def refusal_of_value(self, value: Value, why: str = "") -> EnzymeError:
        """For a number whose bytes are seen in two ways that do not fit, if nothing else is said."""
        at = value if isinstance(value, Instruction) else next(self.function.instructions())
        return self.refusal(at, why or "its bytes are used as numbers of different sizes or places")

    def refusal(self, i: Instruction, why: str | None = None) -> EnzymeError:
        return refusals.refusal(self.session, self.function, i, why)
