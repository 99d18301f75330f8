"""Calls of our own runtime, met where a derivative is differentiated again.

A tape's memory is like any other, and its shadow is allocated from the same tape; in the primal sweep of reverse mode
both come from the tape of that sweep, since the inner one ends too early. The rest are linear maps of memory: the
tangent is the same map of the shadows.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.folding import is_zero, zero
from ...ir.types import I64, PTR
from ...ir.values import Instruction
from ...rules import runtime_functions as runtime
from ..emit.shadow_memory import check_shadows, clear
from .reverse_values import ReverseValues
from .taped_cloning import TapedCloning


def copy_pointers(sweep: TapedCloning, i: Instruction) -> None:
    """The primal sweep of reverse mode: only pointers are copied by `__ez_copy`."""
    sweep.clone_plain(i)
    pointers = sweep.activity.callees.linear_operands(i)
    if any(map(sweep.activity.shadowed, pointers)):
        if sweep.activity.callees.of(i).is_mixed:
            raise sweep.analyses.refusal(i)
        check_shadows(sweep, i, pointers)
        for _ in sweep.directions() if plain_name(str(i.callee)) == runtime.COPY.name else ():
            sweep.clone(i, [*map(sweep.shadow_of, pointers), *map(sweep.of, i.operands[len(pointers) :])])


def adjoint_of_linear(sweep: ReverseValues, i: Instruction) -> None:
    """Of `from += to; to = 0`: the adjoint of `to` is that of `from`. Of a clearing: zero. Of pointers: nothing."""
    if sweep.activity.callees.of(i).is_mixed:
        raise sweep.analyses.refusal(i)
    name = plain_name(str(i.callee))
    if name == runtime.COPY.name:
        return
    pointers = sweep.activity.callees.linear_operands(i)
    rest = [sweep.primal(o) for o in i.arguments[len(pointers) :]]
    origin = zero(PTR) if name == runtime.CLEAR.name or is_zero(pointers[-1]) else sweep.shadow(pointers[-1])
    undo = runtime.UNCOPY_SEGMENTS if name == runtime.COPY_ADJOINT.name else runtime.UNCOPY
    undo.call(sweep.b, sweep.shadow(pointers[0]), origin, *rest)


def allocate(sweep: TapedCloning, i: Instruction) -> None:
    """Memory of an inner tape."""
    if sweep.activity.callees.of(i).is_mixed:
        raise sweep.analyses.refusal(i)
    size = sweep.b.resize_int(sweep.of(i.arguments[1]), I64)
    sweep.primal[i] = sweep.allocate_tape(sweep.b, size)
    for _ in sweep.directions() if i in sweep.activity.objects else ():
        sweep.shadow[i] = sweep.allocate_tape(sweep.b, size)
        clear(sweep.b, sweep.shadow[i], size)
