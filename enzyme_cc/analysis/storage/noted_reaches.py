"""Which accesses of a region note in the primal sweep what memory the reverse sweep adds to.

If it turns out that no two threads reach the same memory, all additions of the reverse sweep are plain. That is so
where each thread has a part of an array, by bounds that are only read when the thread runs. Otherwise, those are plain
by which a thread reaches what no other one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...ir.cfg import ControlFlow, Loop
from ...ir.types import FloatType, VectorType
from ...ir.values import Instruction, Value
from ..integers.offsets import base_of
from .team_places import Adder, Taker, TeamPlaces


def noted_accesses(
    flow: ControlFlow,
    places: TeamPlaces | None,
    adders: Iterable[Adder],
    takers: Iterable[Taker],
    is_private: Callable[[Instruction], bool],
    is_apart: Callable[[Instruction], bool],
) -> Mapping[Instruction, int]:
    """Returns loads and stores whose places are noted: all by which a thread may add to what another one reaches.

    Each comes with a number: what accesses of one loop reach behind one base is one interval. There are none if
    additions need no notes, or if some cannot be noted. `is_private`: no other thread reaches what a load or store
    accesses. `is_apart`: no other thread adds there at the same time.
    """
    if places is None:
        return {}
    found, is_atomic = list[Instruction](), False
    for i, _ in adders:
        if i.opcode != "load" or not isinstance(i.type, (FloatType, VectorType)) or i.flags:
            return {}
        if is_private(i) or is_apart(i):
            continue
        group = places.group(i)
        is_atomic |= group is None or not (places.has_window(group) or places.is_better(group))
        found.append(i)
    for i, *_ in takers:
        if i.opcode != "store" or i.flags:
            return {}
        if not is_private(i):
            found.append(i)
    numbers: dict[tuple[Value, Loop | None], int] = {}
    keys = {i: (base_of(i.accessed_pointer), flow.loop_of[i.block]) for i in found if i.block is not None}
    return {i: numbers.setdefault(key, len(numbers)) for i, key in keys.items()} if is_atomic else {}
