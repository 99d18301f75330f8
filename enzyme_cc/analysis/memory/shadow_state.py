"""What is known of a piece of memory and its shadow before the program runs. autodiff/emit/shadow_access acts on it.

Constant memory has no shadow. Where a pointer may lead to memory with a shadow or to constant memory, the latter is
passed as its own shadow. Such memory is *unshadowed*, and only the run tells that it is: by a comparison of the pointer
with its shadow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum

from msgspec import Struct

from ...ir.constants import GlobalRef
from ...ir.folding import is_zero
from ...ir.graphs import reachable
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Argument, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..activity.activity import Activity
from ..integers.offsets import base_of


class Shadow(Enum):
    """Whose shadow a pointer has.

    - NONE: the memory is constant.
    - SURE: the shadow is surely other memory.
    - AT_RUN_TIME: only the run tells, because unshadowed memory may be there.
    """

    NONE = 0
    SURE = 1
    AT_RUN_TIME = 2


class Foreign(Enum):
    """What happens to derivatives stored in unshadowed memory, which code outside of the derivative made.

    - ABSENT: no derivative is stored there: it is constant.
    - REFUSED: the program ends. A later round differentiates the code, and could not follow the runtime's tables.
    - POINTERS: the runtime records the shadows of pointers, and the program ends where a derivative is stored.
    - RECORDED: the runtime records the shadows of numbers, too.
    """

    ABSENT = 0
    REFUSED = 1
    POINTERS = 2
    RECORDED = 3

    @property
    def is_met(self) -> bool:
        """True if a derivative may store something there."""
        return self is not Foreign.ABSENT

    @property
    def records_pointers(self) -> bool:
        """True if the runtime has shadows of pointers that were stored there."""
        return self in (Foreign.POINTERS, Foreign.RECORDED)

    @property
    def records_numbers(self) -> bool:
        """True if the runtime has shadows of numbers that were stored there."""
        return self is Foreign.RECORDED


class MemoryState(Struct, frozen=True):
    """The state of the memory behind a pointer.

    `is_shared`: other threads may reach the memory's shadow, or other names of it. `is_added_by_team`: other threads of
    a team that runs the derivative may add to it at the same time.
    """

    shadow: Shadow
    foreign: Foreign
    is_shared: bool
    is_added_by_team: bool = False

    @property
    def may_be_unshadowed(self) -> bool:
        """True if only the run tells whether the memory is its own shadow."""
        return self.shadow is Shadow.AT_RUN_TIME

    @property
    def is_recorded(self) -> bool:
        """True if the runtime may have the shadows of numbers there."""
        return self.may_be_unshadowed and self.foreign.records_numbers

    @property
    def refuses_numbers(self) -> bool:
        """True if the program must end where a number with a derivative is stored in unshadowed memory."""
        return self.may_be_unshadowed and self.foreign.is_met and not self.foreign.records_numbers


class ShadowStates:
    """Tells the state of memory in one derivative.

    `own`: the parameters whose shadow is surely other memory. `asks`: constant memory is passed as its own shadow
    (runtime activity). `forward`: forward mode, where memory that realloc moved stays its own shadow. `is_alone`: tells
    of a pointer, in a derivative that threads of a team run, whether only this thread reaches the memory.
    """

    def __init__(
        self,
        activity: Activity,
        own: Collection[int],
        foreign: Foreign,
        *,
        asks: bool,
        forward: bool = False,
        is_alone: Callable[[Value], bool] | None = None,
    ) -> None:
        self._activity = activity
        self._own = own
        self._foreign = foreign
        self._asks = asks
        self._forward = forward
        self._is_alone = is_alone
        self._found: dict[Value, MemoryState] = {}

    def of(self, pointer: Value) -> MemoryState:
        """Returns the state of the memory behind a pointer."""
        if pointer not in self._found:
            is_added = self._is_alone is not None and not self._is_alone(pointer)
            self._found[pointer] = MemoryState(self._shadow(pointer), self._foreign, not is_local(pointer), is_added)
        return self._found[pointer]

    def _shadow(self, pointer: Value) -> Shadow:
        if self._asks and not self.is_sure(pointer):
            return Shadow.AT_RUN_TIME
        return Shadow.SURE if self._activity.shadowed(pointer) else Shadow.NONE

    def is_sure(self, pointer: Value) -> bool:
        """True if the shadow of the memory is surely other memory."""
        if self._forward and is_reallocated(self._activity, base_of(pointer)):
            return False
        return is_surely_shadowed(self._activity, self._own, pointer)


def is_surely_shadowed(activity: Activity, own: Collection[int], pointer: Value) -> bool:
    """True if derivatives made the memory, or the caller passes it with other memory as its shadow.

    The pointer may also be null, as that of a C++ vector without elements: nothing is read or written there.
    """
    base = base_of(pointer)
    if isinstance(base, GlobalRef):
        return True
    bases = [v for v in reachable([base], SAME_OBJECT.operands) if not SAME_OBJECT.operands(v)]

    def is_own(base: Value) -> bool:
        return base.index in own if isinstance(base, Argument) else base in activity.objects

    if bases == [base]:
        return is_own(base)
    found = [v for v in bases if not is_zero(v)]
    return bool(found) and all(is_own(v) and not is_reallocated(activity, v) for v in found)


def is_reallocated(activity: Activity, value: Value) -> bool:
    """True for what realloc returns."""
    return isinstance(value, Instruction) and value.is_call and activity.callees.of(value).kind is CalleeKind.REALLOCATE


def is_local(pointer: Value) -> bool:
    """True for an address in a local variable."""
    base = base_of(pointer)
    return isinstance(base, Instruction) and base.opcode == "alloca"
