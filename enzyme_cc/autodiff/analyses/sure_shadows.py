"""Which arguments point, at every call, into memory that derivatives made: their shadow is never the memory itself.

With runtime activity, a shadow may be the memory itself, and derivatives test for it at each access. Memory that a
derivative makes has a shadow of its own. The analysis assumes that of all arguments, and takes the assumption back
where a call or a request passes another pointer, until all calls agree: the greatest fixed point.

A signature only says that of an argument if the call that asks for the derivative ensures it
(ActiveFunction.with_sure_shadows). The fixed point makes all calls of a function say the same, as far as it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...analysis.activity.activity import ArgumentActivity
from ...analysis.integers.offsets import base_of
from ...ir.graphs import reachable
from ...ir.values import Argument, Instruction
from ..core.signature import Signature
from .active_function import ActiveFunction


class ActiveCall(NamedTuple):
    """A call, and the signature of the derivative that it needs."""

    caller: ActiveFunction
    call: Instruction
    callee: Signature


class _Parameter(NamedTuple):
    signature: Signature
    number: int


def sure_shadows(roots: Iterable[Signature], calls: Sequence[ActiveCall]) -> dict[Signature, tuple[int, ...]]:
    """Returns the arguments for each called signature. `roots`: what requests ask for; programs choose the shadows."""
    others: dict[_Parameter, None] = {}
    passed_on: dict[_Parameter, list[_Parameter]] = {}
    for root in roots:
        others |= dict.fromkeys(_with_shadow(root.without_memory))
    for caller, call, callee in calls:
        for parameter in _with_shadow(callee):
            argument = call.arguments[parameter.number]
            base = base_of(argument)
            if isinstance(base, Argument) and caller.activity.shadowed(argument):
                passed_on.setdefault(_Parameter(caller.signature, base.index), []).append(parameter)
            elif not caller.passes_sure_shadow(argument):
                others[parameter] = None
    refuted = set(reachable(others, lambda parameter: passed_on.get(parameter, ())))
    return {
        callee: tuple(parameter.number for parameter in _with_shadow(callee) if parameter not in refuted)
        for callee in dict.fromkeys(callee for _, _, callee in calls)
    }


def _with_shadow(signature: Signature) -> list[_Parameter]:
    return [_Parameter(signature, k) for k, a in enumerate(signature.arguments) if a is ArgumentActivity.DUP]
