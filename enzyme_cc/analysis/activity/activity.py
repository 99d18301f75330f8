"""The result of activity analysis, as a value: which values carry a derivative, and which pointers have a shadow.

A value is *varied* if it can depend on an active input. It is *useful* if it can influence an active output. It is
*active* if it is both (Hascoët and Pascual, TAPENADE 2.1 user's guide, 2004). A pointer is *shadowed* if memory for
derivatives stands beside the memory it points to.

activity_analysis.py computes the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from enum import Enum

from msgspec import Struct, field
from msgspec.structs import replace

from ...ir.constants import ConstantAggregate, ConstantExpr, GlobalRef
from ...ir.instructions import FUNCTION_CALLS, STORES
from ...ir.values import Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..callees import Callees
from .carriers import Carriers


class ArgumentActivity(Enum):
    """CONST: no derivative. DUP: a pointer with a shadow, or a number with a tangent. OUT: a number with an adjoint."""

    CONST = "const"
    DUP = "dup"
    OUT = "out"


class ResultActivity(Enum):
    """ACTIVE: the result holds numbers with derivatives. SHADOW: pointers with shadows. BOTH: a struct of both."""

    NONE = "none"
    ACTIVE = "active"
    SHADOW = "shadow"
    BOTH = "both"

    @property
    def has_adjoint(self) -> bool:
        return self in (ResultActivity.ACTIVE, ResultActivity.BOTH)

    @property
    def has_shadow(self) -> bool:
        return self in (ResultActivity.SHADOW, ResultActivity.BOTH)


class GlobalFindings(Struct, frozen=True):
    """What the analysis of one function found out about the whole program."""

    active_globals: frozenset[str]
    constant_pointer_stored: bool
    set_up_is_work_space: bool
    handles_lead_outside: bool


class GlobalState(Struct, frozen=True):
    """What is known of the whole program when a function is analysed.

    `active_globals` have a shadow. `inactive_globals` never get one. `constant_pointer_stored`: a pointer without a
    shadow was put where a reader expects a shadow of it. `set_up_is_work_space`: what carries a derivative is stored in
    memory that set-up calls made. `handles_lead_outside`: memory is accessed to which a library's handle leads that may
    be made outside, such as the arrays of a plan. `may_be_handled`: the globals that such memory may be, or that point
    at it. `tables`: the constant globals that point at mutable ones, and these. A table has a shadow if one of these
    has.
    """

    active_globals: frozenset[str] = frozenset()
    inactive_globals: frozenset[str] = frozenset()
    constant_pointer_stored: bool = False
    set_up_is_work_space: bool = False
    handles_lead_outside: bool = False
    may_be_handled: frozenset[str] = frozenset()
    tables: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def joined(self, found: GlobalFindings) -> GlobalState:
        """Returns the state with what the analysis of a function found."""
        return replace(
            self,
            active_globals=self.active_globals | found.active_globals,
            constant_pointer_stored=self.constant_pointer_stored or found.constant_pointer_stored,
            set_up_is_work_space=self.set_up_is_work_space or found.set_up_is_work_space,
            handles_lead_outside=self.handles_lead_outside or found.handles_lead_outside,
        )

    def with_tables(self) -> GlobalState:
        """Returns the state with what handles may lead to, the tables of active globals, and what these point at."""
        active = self.active_globals
        if self.handles_lead_outside:
            active |= self.may_be_handled - self.inactive_globals
        before = -1
        while before != (before := len(active)):
            for table, pointed in self.tables.items():
                if table in active or not pointed.isdisjoint(active):
                    active |= {table, *(pointed - self.inactive_globals)}
        return replace(self, active_globals=active)


def is_shadowed(value: Value, shadowed: Set[Value], active_globals: Set[str]) -> bool:
    """Returns whether a pointer, or an aggregate or integer that holds one, has a shadow."""
    if isinstance(value, GlobalRef):
        return value.name in active_globals
    if isinstance(value, ConstantExpr):
        return any(is_shadowed(o, shadowed, active_globals) for o in value.operands)
    if isinstance(value, ConstantAggregate):
        return any(is_shadowed(e, shadowed, active_globals) for e in value.elements)
    return value in shadowed


class Activity(Struct, frozen=True, eq=False):
    """The activity of one function for given activities of its arguments and result.

    `shadowed_values`: arguments and instructions that have a shadow. `objects`: the allocas and allocating calls among
    them. `active_calls`: calls that the derivative replaces by calls of derivatives. `shadow_results`: calls whose
    pointer result needs a shadow. `constant_pointers`: pointers without a shadow that are put where a shadow of them is
    expected, and memory without a shadow out of which pointers are copied there.
    """

    function: Function
    result: ResultActivity
    callees: Callees
    carriers: Carriers
    active_globals: frozenset[str]
    varied: frozenset[Value]
    useful: frozenset[Value]
    shadowed_values: frozenset[Value]
    objects: frozenset[Instruction]
    active_calls: frozenset[Instruction]
    shadow_results: frozenset[Instruction]
    constant_pointers: frozenset[Value]

    def active(self, value: Value) -> bool:
        """Returns whether the value has an adjoint that matters."""
        return value in self.varied and value in self.useful

    def shadowed(self, value: Value) -> bool:
        """Returns whether a pointer, or an aggregate or integer that holds one, has a shadow."""
        return is_shadowed(value, self.shadowed_values, self.active_globals)

    def any_shadowed(self, values: Iterable[Value]) -> bool:
        """Returns whether one of the values has a shadow."""
        return any(map(self.shadowed, values))

    def argument_activity(self, value: Value) -> ArgumentActivity:
        """Returns how an active call passes the value on."""
        if self.shadowed(value):
            return ArgumentActivity.DUP
        return ArgumentActivity.OUT if value in self.varied else ArgumentActivity.CONST

    # -- what the reverse sweep has to do

    def has_reverse_work(self, i: Instruction) -> bool:
        """Returns whether the reverse sweep does anything at the instruction (for a phi: on its incoming edges)."""
        if i.opcode in STORES:
            return self._write_has_reverse_work(i)
        if i.opcode in FUNCTION_CALLS:
            return self._call_has_reverse_work(i)
        return self.active(i)

    def _write_has_reverse_work(self, i: Instruction) -> bool:
        if not self.shadowed(i.accessed_pointer):
            return False
        if self.carriers.stored_type(i) is not None:
            return True
        carriers = self.carriers
        clears = carriers.is_mixed_store, carriers.loses_stored_bits, carriers.may_store_constant
        return i.opcode == "store" and any(condition(i) for condition in clears)

    def _call_has_reverse_work(self, i: Instruction) -> bool:
        kind = self.callees.of(i).kind
        if kind in (CalleeKind.COPY, CalleeKind.FILL):
            return self.shadowed(self.callees.copy_operands(i)[0])
        if kind is CalleeKind.LINEAR:
            return self.any_shadowed(self.callees.linear_operands(i))
        if kind is CalleeKind.REALLOCATE:
            return i in self.objects
        return i in self.active_calls or self.active(i)
