"""Ends the program where the bits of a number with a derivative are read or written as an integer, in place.

analysis/activity/bits_in_place.py names the loads and stores. In memory that serves for integers at another time, the
shadow is zero there.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....analysis.integers.offsets import base_of
from ....analysis.region_calls import LEADING
from ....ir.builder import Builder
from ....ir.folding import int_constant
from ....ir.types import I1, IntType, Type, store_size
from ....ir.values import Argument, Instruction, Value
from ...core.round import Round
from ...core.signature import Team
from ...globals.foreign_refusals import refuse_at
from .number_places import Purpose, number_place
from .whose_shadow import WhoseShadow

_LOST = (
    "%s: the bits of a number that carries a derivative are accessed in place as an integer, and an integer computed "
    "from them, or a part of the number itself, becomes a number [EZ0304]; move the number itself beside the integer, "
    "or give the function around it a custom derivative"
)
_JOINED = (
    "%s: a number is made of the bits of others that carry derivatives, by integer arithmetic [EZ0304]; write that "
    "part in another way, or give the function around it a custom derivative"
)


def refuse_joined(round: Round, b: Builder, i: Instruction, derivatives: Iterable[Value]) -> None:
    """Emits the test that all of these adjoints or tangents, numbers or their bits, are zero of either sign."""
    is_lost: Value = int_constant(0, I1)
    for derivative in derivatives:
        word = b.cast("bitcast", derivative, IntType(8 * store_size(derivative.type)))
        is_lost = b.int_op("or", is_lost, _is_not_zero(b, word))
    refuse_at(round, b, i, is_lost, _JOINED)


def _is_not_zero(b: Builder, word: Value) -> Value:
    """Emits whether the bits are those of another number than zero."""
    return b.icmp("ne", b.add(word, word), int_constant(0, word.type))


def refuse_bits(access: WhoseShadow, i: Instruction, type_: Type, pointer: Value) -> None:
    """Emits the test that the shadow, of an integer of the type, is zero of either sign."""
    if _is_thread_number(access, pointer):
        return
    b, place = access.sweep.b, number_place(access, i, pointer, store_size(type_), Purpose.READ)
    same = None if access.anchored_state(pointer).is_recorded else access.lies_in_unshadowed(pointer)
    word = b.load(type_, place, i.memory.align)
    is_lost = _is_not_zero(b, word)
    if same is not None:
        is_lost = b.int_op("and", is_lost, b.int_op("xor", same, int_constant(1, I1)))
    refuse_at(access.round, b, i, is_lost, _LOST)


def _is_thread_number(access: WhoseShadow, pointer: Value) -> bool:
    """True for what OpenMP's library passes to the function of a region: it stands for its own shadow."""
    base = base_of(pointer)
    is_passed = isinstance(base, Argument) and base.index < LEADING
    return is_passed and access.sweep.analyses.signature.team is Team.REGION
