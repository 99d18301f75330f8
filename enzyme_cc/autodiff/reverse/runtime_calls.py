"""Reverse mode of calls of our own runtime: they occur in a derivative that is differentiated again.

The inner derivative allocates tape memory from its arena. The primal sweep allocates it, and its shadow, from its own
arena instead, because the inner arena ends before the reverse sweep. The other functions are linear maps of memory.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.folding import is_zero, zero
from ...ir.types import I64, PTR
from ...ir.values import Instruction
from ...rules import runtime_functions as runtime
from ..emit.shadow_memory import check_shadows, clear
from .reverse_values import ReverseValues
from .tape_allocation import TapedCloning


def copy_pointers(sweep: TapedCloning, i: Instruction) -> None:
    """Clones the call in the primal sweep.

    Only `__ez_copy` moves pointers, so only it is called for the shadows too.
    """
    sweep.clone_plain(i)
    pointers = sweep.activity.callees.linear_operands(i)
    if any(map(sweep.activity.shadowed, pointers)):
        if sweep.activity.callees.of(i).moves_mixed:
            raise sweep.analyses.refusal(i)
        check_shadows(sweep, i, pointers)
        for _ in sweep.directions() if plain_name(str(i.callee)) == runtime.COPY.name else ():
            sweep.clone(i, [*map(sweep.shadow_of, pointers), *map(sweep.of, i.operands[len(pointers) :])])


def adjoint_of_linear(sweep: ReverseValues, i: Instruction) -> None:
    """Emits the adjoint of a linear map.

    - Of `from += to; to = 0`: the adjoint of `to` is that of `from`.
    - Of clearing memory: the adjoint is zero.
    - Of a copy of pointers: there is none.
    """
    if sweep.activity.callees.of(i).moves_mixed:
        raise sweep.analyses.refusal(i)
    name = plain_name(str(i.callee))
    if name == runtime.COPY.name:
        return
    pointers = sweep.activity.callees.linear_operands(i)
    rest = [sweep.of(o) for o in i.arguments[len(pointers) :]]
    origin = zero(PTR) if name == runtime.CLEAR.name or is_zero(pointers[-1]) else sweep.shadow_of(pointers[-1])
    undo = runtime.UNCOPY_SEGMENTS if name == runtime.COPY_ADJOINT.name else runtime.UNCOPY
    undo.call(sweep.b, sweep.shadow_of(pointers[0]), origin, *rest)


def allocate(sweep: TapedCloning, i: Instruction) -> None:
    """Allocates memory of an inner tape from the arena of this sweep."""
    if sweep.activity.callees.of(i).moves_mixed:
        raise sweep.analyses.refusal(i)
    size = sweep.b.resize_int(sweep.of(i.arguments[1]), I64)
    sweep.primal[i] = sweep.allocate_tape(sweep.b, size)
    for _ in sweep.directions() if i in sweep.activity.objects else ():
        sweep.shadow[i] = sweep.allocate_tape(sweep.b, size)
        clear(sweep.b, sweep.shadow[i], size)
