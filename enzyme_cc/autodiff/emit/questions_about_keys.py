"""Questions whether a key of kept results is old, and notices that one is written (globals/kept_results.py).

Both are about memory without a shadow, and about globals and work space whose shadows a request clears when it begins.
Where a derivative has a shadow of its own for the key, it needs neither. A key that is compared with constants alone
belongs to constant results.
"""

from __future__ import annotations

from ...analysis.integers.offsets import global_of, may_overlap, offset_in_global
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant, zero
from ...ir.types import VOID
from ...ir.values import Instruction, Value
from ..analyses.old_keys import asks_varied, is_surely_old, is_varied
from .cloning import Cloning


def clone_question(sweep: Cloning, i: Instruction) -> None:
    """Clones the call if the memory has no shadow, or if only the run tells that."""
    place = i.arguments[1]
    known = _is_forgotten(sweep, place) or not _is_about_varied(sweep, i)
    is_constant = None if known else _is_constant(sweep, place)
    before = sweep.of(i.arguments[0])
    if is_constant is None and not known and (sweep.round.state.active_globals - sweep.round.declared):
        is_constant = int_constant(0)
    if is_constant is None and isinstance(before, ConstantInt):
        if i.type != VOID:
            sweep.primal[i] = zero(i.type)
        return
    if i.type != VOID and not known and is_surely_old(sweep.activity, i):
        sweep.primal[i] = int_constant(1)
        return
    is_constant = before if is_constant is None else sweep.b.int_op("or", before, is_constant)
    sweep.primal[i] = sweep.clone(i, [is_constant, *map(sweep.of, i.operands[1:])])


def _is_forgotten(sweep: Cloning, place: Value) -> bool:
    """Returns whether requests overwrite the key when they begin (globals/kept_keys.py)."""
    keys, offset = sweep.round.foreign_pointers.keys.get(global_of(place) or "", ()), offset_in_global(place)
    return offset is not None and any(may_overlap(offset, 1, start, size) for start, size in keys)


def _is_constant(sweep: Cloning, place: Value) -> Value | None:
    """Returns a number that is not zero if the memory has no shadow; None if it surely has one."""
    for _ in sweep.directions():
        return sweep.memory.constant_flag(place)
    return None


def _is_about_varied(sweep: Cloning, i: Instruction) -> bool:
    return _writes_varied(sweep, i) if i.type == VOID else asks_varied(sweep.activity, i)


def _writes_varied(sweep: Cloning, notice: Instruction) -> bool:
    """Returns whether the number that was just written carries a derivative: no other one is asked about."""
    assert notice.block is not None
    at = notice.block.instructions.index(notice)
    before = notice.block.instructions[at - 1] if at else notice
    if before.opcode == "store":
        return is_varied(sweep.activity, before.operands[0])
    is_copy = before.opcode == "call" and len(before.arguments) > 1
    return not is_copy or sweep.activity.shadowed(before.arguments[1])
