"""Questions whether a key of kept results is old, and notices that one is written (globals/kept_results.py).

Both are about memory without a shadow. Where a derivative has a shadow of its own for the key, it needs neither. A key
that is compared with constants alone belongs to constant results.

If an argument counts as constant, what is written there does too. So a result beside such a key is never read.
"""

from __future__ import annotations

from ...analysis.integers.offsets import global_of
from ...ir.constants import ConstantInt
from ...ir.folding import int_constant, is_zero, zero
from ...ir.graphs import reachable
from ...ir.types import I64, VOID
from ...ir.values import Instruction, Value
from .cloning import Cloning


def clone_question(sweep: Cloning, i: Instruction) -> None:
    """Clones the call if the memory has no shadow, or if only the run tells that."""
    place = i.arguments[1]
    known = global_of(place) in sweep.round.external.keys or (i.type != VOID and not _asks_varied(sweep, i))
    is_constant = None if known else _is_constant(sweep, place)
    before = sweep.of(i.arguments[0])
    if is_constant is None and isinstance(before, ConstantInt):
        if i.type != VOID:
            sweep.primal[i] = zero(i.type)
        return
    if i.type != VOID and isinstance(is_constant, ConstantInt) and not is_zero(i.arguments[2]):
        sweep.primal[i] = int_constant(1)
        return
    is_constant = before if is_constant is None else sweep.b.int_op("or", before, is_constant)
    sweep.primal[i] = sweep.clone(i, [is_constant, *map(sweep.of, i.operands[1:])])


def _is_constant(sweep: Cloning, place: Value) -> Value | None:
    """Returns a number that is not zero if the memory has no shadow; None if it surely has one."""
    if not sweep.activity.shadowed(place):
        return int_constant(1)
    for _ in sweep.directions():
        same = sweep.is_constant_memory(place)
        return None if same is None else sweep.b.cast("zext", same, I64)
    return None


def _asks_varied(sweep: Cloning, question: Instruction) -> bool:
    """Returns whether a number that carries a derivative is compared with the key."""
    keys = [key for test in question.users for select in test.users for key in select.operands]
    calls = [key for key in keys if isinstance(key, Instruction) and key.opcode == "call"]
    chosen = reachable([select for test in question.users for select in test.users], _choices)
    compared = (i for value in chosen for i in value.users if i.opcode in ("fcmp", "fsub"))
    return any(number in sweep.activity.varied for i in compared for number in i.operands) or any(
        sweep.activity.shadowed(pointer) for call in calls for pointer in call.arguments[:2]
    )


def _choices(value: Instruction) -> list[Instruction]:
    return [user for user in value.users if user.opcode in ("phi", "select")]
