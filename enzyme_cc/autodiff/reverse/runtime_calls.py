"""Calls of our own runtime, met where a derivative is differentiated again.

A tape's memory is like any other, and its shadow is allocated from the same tape; in the forward sweep of reverse mode
both come from the tape of that sweep, since the inner one ends too early. The rest are linear maps of memory: the
tangent is the same map of the shadows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...analysis.callees import plain_name
from ...ir.builder import int_constant, is_zero, zero
from ...ir.types import I64, PTR, VOID
from ...ir.values import Constant, Instruction, Value
from ..emit.mixed_memory import MIXED
from .memory_adjoints import clear

if TYPE_CHECKING:
    from ..emit.cloning import Cloning
    from ..tangent.tangent_sweep import TangentSweep
    from .primal_sweep import ForwardSweep
    from .reverse_values import ReverseValues


def clone_linear(sweep: TangentSweep, i: Instruction) -> None:
    """Forward mode: what is constant memory at run time counts as null, or as no bytes where it is written."""
    pointers = sweep.activity.linear_operands(i)
    if any(map(sweep.activity.shadowed, pointers)):
        _check_shadows(sweep, i, pointers)
        for _ in sweep.lanes():
            operands = [sweep.shadow_of(p) for p in pointers] + [sweep.of(o) for o in i.operands[len(pointers) :]]
            for k, pointer in enumerate(pointers):
                same = sweep.is_constant_memory(pointer)
                if same is not None:
                    at, nothing = (1, zero(PTR)) if k else (len(pointers), int_constant(0))
                    operands[at] = sweep.b.select(same, nothing, operands[at])
            sweep.clone(i, operands)
    sweep.clone_plain(i)


def _check_shadows(sweep: Cloning, i: Instruction, pointers: list[Value]) -> None:
    if not all(isinstance(p, Constant) or sweep.activity.shadowed(p) for p in pointers):
        raise sweep.analysed.refusal(i, "the inner derivative adds to memory that is constant in the outer one")


def copy_pointers(sweep: ForwardSweep, i: Instruction) -> None:
    """The forward sweep of reverse mode: only pointers are copied by `__ez_copy`."""
    sweep.clone_plain(i)
    pointers = sweep.activity.linear_operands(i)
    if any(map(sweep.activity.shadowed, pointers)):
        if plain_name(str(i.callee)) in MIXED:
            raise sweep.analysed.refusal(i)
        _check_shadows(sweep, i, pointers)
        for _ in sweep.lanes() if plain_name(str(i.callee)) == "__ez_copy" else ():
            sweep.clone(i, [*map(sweep.shadow_of, pointers), *map(sweep.of, i.operands[len(pointers) :])])


def adjoint_of_linear(sweep: ReverseValues, i: Instruction) -> None:
    """Of `from += to; to = 0`: the adjoint of `to` is that of `from`. Of a clearing: zero. Of pointers: nothing."""
    name = plain_name(str(i.callee))
    if name == "__ez_copy":
        return
    pointers = sweep.activity.linear_operands(i)
    rest = [sweep.primal(o) for o in i.arguments[len(pointers) :]]
    origin = zero(PTR) if name == "__ez_clear" or is_zero(pointers[-1]) else sweep.shadow(pointers[-1])
    undo = "@__ez_uncopy_segments" if name == "__ez_copy_adjoint" else "@__ez_uncopy"
    sweep.b.call(undo, VOID, (sweep.shadow(pointers[0]), origin, *rest))


def allocate(sweep: ForwardSweep, i: Instruction) -> None:
    """Memory of an inner tape."""
    if plain_name(str(i.callee)) in MIXED:
        raise sweep.analysed.refusal(i)
    size = sweep.b.resize_int(sweep.of(i.arguments[1]), I64)
    sweep.primal[i] = sweep.allocate_tape(sweep.b, size)
    for _ in sweep.lanes() if i in sweep.activity.objects else ():
        sweep.shadow[i] = sweep.allocate_tape(sweep.b, size)
        clear(sweep.b, sweep.shadow[i], size)
