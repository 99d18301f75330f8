"""Forward mode of calls of our own runtime: they occur in a derivative that is differentiated again.

They are linear maps of memory: the tangent is the same map of the shadows.
"""

from __future__ import annotations

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
            first, (size, *rest) = pointers[0], map(sweep.of, i.operands[len(pointers) :])
            size = sweep.memory.size_there(first, size)
            sources = map(sweep.memory.other_shadow, pointers[1:])
            sweep.clone(i, [sweep.shadow_of(first), *sources, size, *rest])
