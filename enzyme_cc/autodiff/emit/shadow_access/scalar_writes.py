"""What a store does to the shadow of what lay there before: the memory may hold other things at other times."""

from __future__ import annotations

from enum import Enum

from ....analysis.activity.activity import Activity
from ....ir.types import store_size
from ....ir.values import Instruction


class ScalarWrite(Enum):
    """What must become of the shadow of earlier contents.

    - OVER_OTHERS: a number is stored where pointers lie at other times, or the other way round. The primal sweep clears
      shadows of pointers, the reverse sweep adjoints.
    - CONSTANT_OVER_OTHERS: an integer that may be a constant number is stored there. The reverse sweep clears adjoints.
    - CONSTANT: such an integer is stored among numbers alone. Its adjoint is cleared.
    - PLAIN: nothing.
    """

    OVER_OTHERS = 0
    CONSTANT_OVER_OTHERS = 1
    CONSTANT = 2
    PLAIN = 3


def scalar_write(activity: Activity, store: Instruction) -> ScalarWrite:
    """Returns what a store does to the shadow of what lay there."""
    carriers = activity.carriers
    if carriers.is_mixed_store(store):
        return ScalarWrite.OVER_OTHERS
    if not carriers.may_store_constant(store):
        return ScalarWrite.PLAIN
    value, pointer = store.operands
    is_mixed = carriers.types.contents(pointer, store_size(value.type)).is_mixed
    return ScalarWrite.CONSTANT_OVER_OTHERS if is_mixed else ScalarWrite.CONSTANT
