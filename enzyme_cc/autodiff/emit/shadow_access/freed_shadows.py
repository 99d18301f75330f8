"""Notes which shadows of pools (globals/heap.py) a derivative frees: the program may keep the address of the block.

A request takes over the shadows that the derivative left beside the pointers of a pool. One that is freed must not be
taken over, and only the derivative knows that it is: the pointer in the global stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....ir.constants import GlobalRef
from ....ir.folding import int_constant
from ....ir.values import Value
from ....rules import runtime_functions as runtime
from ...globals.foreign_code import FREED, beside
from ...globals.shadows import Shadows, constant_shadow
from .whose_shadow import WhoseShadow


def record_freed(access: WhoseShadow, shadow: Value) -> None:
    """Emits what follows the release of a shadow."""
    for name, offset, freed in _words(access):
        sweep = access.sweep
        place = sweep.b.offset(constant_shadow(Shadows(sweep.round, sweep.direction, sweep.forward), name), offset)
        runtime.HEAP_FREED.call(sweep.b, shadow, place, freed)


def record_allocated(access: WhoseShadow, shadow: Value) -> None:
    """Emits what follows the allocation of a shadow: it may lie where one lay that was freed."""
    for _, _, freed in _words(access):
        runtime.HEAP_RENEWED.call(access.sweep.b, shadow, freed)


def _words(access: WhoseShadow) -> Iterator[tuple[GlobalRef, Value, Value]]:
    """Yields each pointer of a pool: the global, the offset, and where its freed shadow is noted."""
    sweep, round = access.sweep, access.round
    for pool in round.foreign_pointers.pools:
        for name, at in pool.first:
            note = beside(round, name, f"{FREED}{sweep.direction}", sweep.forward)
            yield GlobalRef.of(name), int_constant(at), sweep.b.offset(note, int_constant(at))
