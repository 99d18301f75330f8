"""What routines of libraries write: functions that stand for those without bitcode (<enzyme/derivative.h>)."""

from __future__ import annotations

from ...analysis.memory.effects import Any
from ...analysis.memory.facts import effects_of
from ...ir.values import Argument
from ..core.round import PreparedRound


def written_parameters(round: PreparedRound, function: str) -> frozenset[int]:
    """Returns the parameters behind which a routine writes."""
    writes = effects_of(round.source).summary(round.source.functions[function])
    if isinstance(writes, Any):
        return frozenset(range(len(round.source.functions[function].arguments)))
    return frozenset(write.pointer.index for write in writes if isinstance(write.pointer, Argument))
