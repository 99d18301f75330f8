"""Settles which derivatives calls share, before any is made: else there are more of them.

A derivative assumes that some memory stays unchanged until its reverse sweep. A large function has few derivatives that
differ in that alone (core/derivatives.py). If a call ensures less than those before it, one of these must assume less,
and it is too late for that once it is made.
"""

from __future__ import annotations

from ...ir.graphs import reachable
from ...rules.knowledge import CalleeKind
from ..core.round import Round
from ..core.signature import Form, Signature
from .function_analyses import FunctionAnalyses
from .recursion import Recursion

_SPLIT = {Form.COMBINED: False, Form.AUGMENTED: True, Form.REVERSE: True}


def settle(round: Round, recursion: Recursion) -> None:
    """Has each call in reverse mode ask once for the signature of its derivative."""

    def called(derivative: tuple[Signature, bool]) -> list[tuple[Signature, bool]]:
        signature, split = derivative
        if not round.callees.has_body(signature.function):
            return []
        analyses = FunctionAnalyses(round, signature, split, recursion)
        active = analyses.activity.active_calls
        calls = [i for i in analyses.function.instructions() if i in active]
        defined = [i for i in calls if round.callees.of(i).kind is CalleeKind.DEFINED]
        asked = [(analyses.call_signature(i), not analyses.is_late(i)) for i in defined]
        return [(found, is_split) for found, is_split in asked if not is_split or round.derivatives.is_shared(found)]

    queued = round.derivatives.queued()
    for _ in reachable([(signature, _SPLIT[form]) for signature, form in queued if form in _SPLIT], called):
        pass
    round.derivatives.settle()
