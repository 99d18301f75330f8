"""Forward mode of calls of our own runtime: they occur in a derivative that is differentiated again.

They are linear maps of memory: the tangent is the same map of the shadows.
"""

from __future__ import annotations

from ...ir.folding import int_constant, zero
from ...ir.types import PTR
from ...ir.values import Instruction
from ..emit.shadow_memory import check_shadows
from .tangent_cloning import TangentCloning


def clone_linear(sweep: TangentCloning, i: Instruction) -> None:
    """Makes the call for the shadows too."""
    map_shadows(sweep, i)
    sweep.clone_plain(i)


def map_shadows(sweep: TangentCloning, i: Instruction) -> None:
    """Makes the call for the shadows.

    Memory found constant at run time is passed as null, or as 0 bytes if written.
    """
    pointers = sweep.activity.callees.linear_operands(i)
    if any(map(sweep.activity.shadowed, pointers)):
        check_shadows(sweep, i, pointers)
        for _ in sweep.directions():
            operands = [sweep.shadow_of(p) for p in pointers] + [sweep.of(o) for o in i.operands[len(pointers) :]]
            for k, pointer in enumerate(pointers):
                same = sweep.memory.is_unshadowed(pointer)
                if same is not None:
                    at, nothing = (1, zero(PTR)) if k else (len(pointers), int_constant(0))
                    operands[at] = sweep.b.select(same, nothing, operands[at])
            sweep.clone(i, operands)
