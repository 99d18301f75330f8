"""Activity: which values of a function carry a derivative, and which pointers have a shadow.

A value is *varied* if it can depend on an active input, *useful* if it can influence an active output, *active* if
both (Hascoët and Pascual 2004). A pointer is *shadowed* if derivative memory stands beside the memory it points to.
Memory that the function itself makes (alloca, malloc) gets a shadow as soon as something varied, or a shadowed
pointer, can be stored in it; the analysis starts without any and adds until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ...ir.cfg import ControlFlow
from ...ir.values import (
    Argument,
    ConstantAggregate,
    ConstantExpr,
    Function,
    GlobalRef,
    Instruction,
    Value,
)
from ..callees import CalleeKind, Callees
from .carriers import Carriers


class ArgumentActivity(Enum):
    CONST = "const"
    DUP = "dup"
    OUT = "out"


class ResultActivity(Enum):
    """ACTIVE: numbers with derivatives; SHADOW: pointers with shadows; BOTH: a struct of such."""

    NONE = "none"
    ACTIVE = "active"
    SHADOW = "shadow"
    BOTH = "both"  # a struct of numbers and pointers

    @property
    def has_adjoint(self) -> bool:
        return self in (ResultActivity.ACTIVE, ResultActivity.BOTH)

    @property
    def has_shadow(self) -> bool:
        return self in (ResultActivity.SHADOW, ResultActivity.BOTH)


@dataclass
class GlobalState:
    """What is known of the whole program while derivatives are made: it only grows."""

    active_globals: set[str] = field(default_factory=set)
    inactive_globals: set[str] = field(default_factory=set)
    constant_pointer_stored: bool = False


class Activity:
    """Activity of one function for given activities of its arguments and result."""

    def __init__(
        self,
        function: Function,
        flow: ControlFlow,
        arguments: Sequence[ArgumentActivity],
        result: ResultActivity,
        callees: Callees,
        carriers: Carriers,
        state: GlobalState,
        reads_globals: dict[str, frozenset[str]],
    ) -> None:
        self.function = function
        self.result = result
        self.callees = callees
        self.carriers = carriers
        self.state = state
        self._globals_of = reads_globals
        self.varied: set[Value] = set()
        self.shadowed_values: set[Value] = set()
        self.objects: set[Instruction] = set()  # allocas and allocation calls that have a shadow
        self.active_calls: set[Instruction] = set()
        self.shadow_results: set[Instruction] = set()  # calls whose pointer result needs a shadow
        self._wanted: set[Value] = set()
        self._entered: set[Value] = set()  # pointers put where a shadow of them will be expected
        # what never comes back (abort, a failed assertion) has no adjoint
        live = flow.reaching(b for b in flow.order if b.terminator.opcode == "ret")
        self._blocks = [b for b in flow.order if b in live]
        for argument, activity in zip(function.arguments, arguments, strict=True):
            if activity is ArgumentActivity.OUT and carriers.adjoint_type(argument) is not None:
                self.varied.add(argument)
            elif activity is ArgumentActivity.DUP:
                self._duplicate(argument)
        self._spread()
        self.state.constant_pointer_stored |= any(map(self._is_constant_memory, self._entered)) or any(
            self._copies_constant_pointers(i) for block in self._blocks for i in block.instructions
        )
        self.useful = self._find_useful()

    def _is_constant_memory(self, pointer: Value) -> bool:
        return isinstance(pointer, Argument | Instruction) and not self.shadowed(pointer)

    def _copies_constant_pointers(self, i: Instruction) -> bool:
        """Whether pointers may be among what is copied from constant memory to memory with a shadow."""
        if i.opcode not in ("call", "invoke") or self.callees.of(i).kind is not CalleeKind.COPY:
            return False
        target, source = self.copy_operands(i)
        is_from_constant = self.shadowed(target) and self._is_constant_memory(source)
        return is_from_constant and self.carriers.holds_pointers(target, source)

    def _duplicate(self, argument: Argument) -> None:
        """A pointer has a shadow; in forward mode a number has a tangent."""
        number = self.carriers.adjoint_type(argument) is not None
        if number:
            self.varied.add(argument)
        if not number or self.carriers.can_point(argument):
            self.shadowed_values.add(argument)

    # -- answers

    def active(self, value: Value) -> bool:
        """Whether the value has an adjoint that matters."""
        return value in self.varied and value in self.useful

    def shadowed(self, value: Value) -> bool:
        """Whether the pointer (or aggregate, or integer, holding one) has a shadow."""
        if isinstance(value, GlobalRef):
            return self._global_shadowed(value.name)
        if isinstance(value, ConstantExpr):
            return any(self.shadowed(o) for o in value.operands)
        if isinstance(value, ConstantAggregate):
            return any(self.shadowed(e) for e in value.elements)
        return value in self.shadowed_values

    def _global_shadowed(self, name: str) -> bool:
        return name in self.state.active_globals

    def has_own_shadow(self, pointer: Value) -> bool:
        """Whether the pointer surely points into memory made here, whose shadow is never the primal itself."""
        while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
            pointer = pointer.operands[0]
        return pointer in self.objects or isinstance(pointer, GlobalRef)

    def argument_activity(self, value: Value) -> ArgumentActivity:
        """How an active call passes the value on."""
        if self.shadowed(value):
            return ArgumentActivity.DUP
        return ArgumentActivity.OUT if value in self.varied else ArgumentActivity.CONST

    # -- forward

    def _spread(self) -> None:
        """Adds varied and shadowed values until nothing changes."""
        while True:
            before = self._size()
            for block in self._blocks:
                for instruction in block.instructions:
                    self._visit(instruction)
            if self._size() == before:
                return

    def _size(self) -> tuple[int, ...]:
        sets = (self.varied, self.shadowed_values, self.objects, self.active_calls, self.shadow_results, self._wanted)
        return (*(len(s) for s in sets), len(self.state.active_globals))

    def _visit(self, i: Instruction) -> None:
        handler = _VISITORS.get(i.opcode, Activity._visit_plain)
        handler(self, i)

    def _mark(self, i: Instruction, varied: bool, shadowed: bool) -> None:
        if varied and self.carriers.adjoint_type(i) is not None:
            self.varied.add(i)
        if shadowed and self.carriers.can_point(i):
            self.shadowed_values.add(i)

    def _visit_plain(self, i: Instruction) -> None:
        """Arithmetic, casts, phis, selects, aggregates: the result carries what any operand carries."""
        shadowed = any(self.shadowed(o) for o in i.operands)
        self._mark(i, any(o in self.varied for o in i.operands), shadowed)
        if i in self.shadowed_values and i.opcode in ("phi", "select", "insertvalue", "insertelement"):
            for operand in i.operands:
                self._enters_shadow(operand)

    def _visit_getelementptr(self, i: Instruction) -> None:
        self._mark(i, False, self.shadowed(i.operands[0]))

    def _visit_load(self, i: Instruction) -> None:
        shadowed = self.shadowed(i.operands[0])
        self._mark(i, shadowed, shadowed)

    def _visit_store(self, i: Instruction) -> None:
        value, pointer = i.operands
        if value in self.varied or self.shadowed(value):
            self.require_shadow(pointer)
        if self.shadowed(pointer):
            self._enters_shadow(value)

    def _visit_atomicrmw(self, i: Instruction) -> None:
        pointer, value = i.operands
        if value in self.varied or self.shadowed(value):
            self.require_shadow(pointer)
        self._mark(i, self.shadowed(pointer), self.shadowed(pointer))

    def _visit_cmpxchg(self, i: Instruction) -> None:
        shadowed = self.shadowed(i.operands[0])
        self._mark(i, shadowed, shadowed)

    def _visit_alloca(self, i: Instruction) -> None:
        if i in self.objects:
            self.shadowed_values.add(i)

    def _visit_ret(self, i: Instruction) -> None:
        if self.result.has_shadow and i.operands:
            self._enters_shadow(i.operands[0])

    def _visit_call(self, i: Instruction) -> None:
        callee = self.callees.of(i)
        _CALL_VISITORS[callee.kind](self, i)

    def _call_inactive(self, i: Instruction) -> None:
        within = self._points_within(i)
        if within is not None:
            self._mark(i, False, self.shadowed(within))

    def _points_within(self, i: Instruction) -> Value | None:
        """The operand that the result of a call points into (memchr, dynamic_cast)."""
        known = self.callees.of(i).known
        return None if known is None or known.result is None else i.arguments[known.result]

    def _call_rule(self, i: Instruction) -> None:
        rule = self.callees.of(i).rule
        assert rule is not None
        varied = not rule.is_constant and any(o in self.varied for o in i.arguments)
        self._mark(i, varied, False)
        if varied and rule.outputs:
            self.active_calls.add(i)
            for k in rule.outputs:
                self.require_shadow(i.arguments[k])

    def _call_allocate(self, i: Instruction) -> None:
        if i in self.objects and self.carriers.can_point(i):
            self.shadowed_values.add(i)

    def _call_reallocate(self, i: Instruction) -> None:
        old = self.moved_from(i)
        if i in self.objects:
            self._enters_shadow(old)
        if self.shadowed(old):
            self.objects.add(i)
        self._call_allocate(i)

    def moved_from(self, i: Instruction) -> Value:
        """The pointer that a reallocating call is given."""
        known = self.callees.of(i).known
        assert known is not None
        return i.arguments[known.pointer]

    def _call_copy(self, i: Instruction) -> None:
        target, source = self.copy_operands(i)
        if self.shadowed(source):
            self.require_shadow(target)
        elif self.shadowed(target):
            self.require_shadow(source)
        self._mark(i, False, self.shadowed(target))

    def copy_operands(self, i: Instruction) -> tuple[Value, Value]:
        """(target, source) of a copying call."""
        known = self.callees.of(i).known
        assert known is not None
        return i.arguments[known.target], i.arguments[known.source]

    def _call_fill(self, i: Instruction) -> None:
        self._mark(i, False, self.shadowed(i.arguments[0]))

    def _call_linear(self, i: Instruction) -> None:
        pointers = self.linear_operands(i)
        if any(map(self.shadowed, pointers)):
            for pointer in pointers:
                self.require_shadow(pointer)

    def linear_operands(self, i: Instruction) -> list[Value]:
        """The pointers of a call that maps memory linearly."""
        known = self.callees.of(i).known
        assert known is not None and isinstance(known.writes, tuple)
        return [i.arguments[k] for k in range(max(known.writes) + 1 if known.reads == "none" else 2)]

    def _call_defined(self, i: Instruction) -> None:
        callee = self.callees.of(i)
        touched = self._globals_of.get(callee.name, frozenset()) & self.state.active_globals
        active = any(a in self.varied or self.shadowed(a) for a in i.arguments) or bool(touched)
        if active or i in self.shadow_results:
            self.active_calls.add(i)
            if active:
                for argument in i.arguments:
                    self._enters_call(argument)
        if i in self.active_calls:
            self._mark(i, True, True)
            if i in self.shadowed_values:
                self.shadow_results.add(i)

    def _enters_call(self, argument: Value) -> None:
        if self.carriers.can_point(argument):
            self.require_shadow(argument)

    def _call_refused(self, i: Instruction) -> None:
        """A call that cannot be differentiated counts as active where it is given anything that is."""
        if any(a in self.varied or self.shadowed(a) for a in i.arguments):
            self.active_calls.add(i)

    # -- shadows on demand

    def _enters_shadow(self, value: Value) -> None:
        """A pointer is put where a shadow of it will be expected."""
        if self.carriers.can_point(value):
            self.require_shadow(value)
            self._entered.add(value)

    def require_shadow(self, value: Value) -> None:
        """Gives the memory behind the pointer a shadow where this function can (iteratively, operands first)."""
        work = [value]
        while work:
            v = work.pop()
            if isinstance(v, GlobalRef):
                self._activate_global(v.name)
            elif isinstance(v, ConstantExpr):
                work.extend(v.operands)
            elif isinstance(v, Instruction) and v not in self._wanted:
                self._wanted.add(v)
                work.extend(self._shadow_sources(v))

    def _shadow_sources(self, v: Instruction) -> Sequence[Value]:
        if v.opcode == "alloca":
            self.objects.add(v)
            return ()
        if v.opcode in ("call", "invoke"):
            return self._shadow_sources_of_call(v)
        if v.opcode in ("load", "getelementptr"):
            return v.operands[:1]
        if v.opcode in ("icmp", "fcmp"):
            return ()
        return [o for o in v.operands if self.carriers.can_point(o)]

    def _shadow_sources_of_call(self, v: Instruction) -> Sequence[Value]:
        kind = self.callees.of(v).kind
        if kind in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE):
            self.objects.add(v)
        elif kind in (CalleeKind.COPY, CalleeKind.FILL):
            return v.arguments[:1]
        elif kind is CalleeKind.INACTIVE:
            within = self._points_within(v)
            return () if within is None else (within,)
        elif kind in (CalleeKind.DEFINED, CalleeKind.CUSTOM) and self.carriers.can_point(v):
            self.shadow_results.add(v)
            return [a for a in v.arguments if self.carriers.can_point(a)]  # the result may point into what they do
        return ()

    def _activate_global(self, name: str) -> None:
        variable = self.callees.module.globals.get(name)
        if variable is None or variable.constant or name in self.state.inactive_globals:
            return
        self.state.active_globals.add(name)

    def has_reverse_work(self, i: Instruction) -> bool:
        """Whether the reverse sweep does anything for the instruction (a phi's work is on its incoming edges)."""
        if i.opcode in ("store", "atomicrmw"):
            return self._write_has_reverse_work(i)
        if i.opcode in ("call", "invoke"):
            return self._call_has_reverse_work(i)
        return self.active(i)

    def _write_has_reverse_work(self, i: Instruction) -> bool:
        if not self.shadowed(i.operands[i.opcode == "store"]):
            return False
        return self.carriers.stored_type(i) is not None or (i.opcode == "store" and self.carriers.is_mixed_store(i))

    def _call_has_reverse_work(self, i: Instruction) -> bool:
        kind = self.callees.of(i).kind
        if kind in (CalleeKind.COPY, CalleeKind.FILL):
            return self.shadowed(self.copy_operands(i)[0])
        if kind is CalleeKind.LINEAR:
            return any(map(self.shadowed, self.linear_operands(i)))
        if kind is CalleeKind.REALLOCATE:
            return i in self.objects
        return i in self.active_calls or self.active(i)

    # -- backward

    def _find_useful(self) -> set[Value]:
        useful: set[Value] = set()
        work: list[Value] = []
        for block in self._blocks:
            for i in block.instructions:
                work.extend(self._roots(i))
        while work:
            value = work.pop()
            if value in useful or value not in self.varied:
                continue
            useful.add(value)
            if isinstance(value, Instruction) and value.opcode not in ("load",):
                work.extend(value.operands)
        return useful

    def _roots(self, i: Instruction) -> Sequence[Value]:
        """Operands whose adjoint an instruction feeds for a reason other than its own result."""
        if i.opcode == "ret":
            return () if self.result is ResultActivity.NONE else i.operands
        if i.opcode == "store":
            return i.operands[:1] if self.shadowed(i.operands[1]) else ()
        if i.opcode == "atomicrmw":
            return i.operands[1:] if self.shadowed(i.operands[0]) else ()
        if i.opcode in ("call", "invoke") and i in self.active_calls:
            return i.arguments
        return ()


_Visitor = Callable[[Activity, Instruction], None]
_VISITORS: dict[str, _Visitor] = {
    "getelementptr": Activity._visit_getelementptr,
    "load": Activity._visit_load,
    "store": Activity._visit_store,
    "atomicrmw": Activity._visit_atomicrmw,
    "cmpxchg": Activity._visit_cmpxchg,
    "alloca": Activity._visit_alloca,
    "call": Activity._visit_call,
    "invoke": Activity._visit_call,
    "ret": Activity._visit_ret,
    "icmp": lambda self, i: None,
    "fcmp": lambda self, i: None,
    "br": lambda self, i: None,
    "switch": lambda self, i: None,
}

_CALL_VISITORS: dict[CalleeKind, _Visitor] = {
    CalleeKind.DEFINED: Activity._call_defined,
    CalleeKind.CUSTOM: Activity._call_defined,
    CalleeKind.RULE: Activity._call_rule,
    CalleeKind.INACTIVE: Activity._call_inactive,
    CalleeKind.STACK: Activity._call_inactive,
    CalleeKind.FREE: Activity._call_inactive,
    CalleeKind.ALLOCATE: Activity._call_allocate,
    CalleeKind.REALLOCATE: Activity._call_reallocate,
    CalleeKind.COPY: Activity._call_copy,
    CalleeKind.FILL: Activity._call_fill,
    CalleeKind.LINEAR: Activity._call_linear,
    CalleeKind.INDIRECT: Activity._call_refused,
    CalleeKind.ASM: Activity._call_refused,
    CalleeKind.UNKNOWN: Activity._call_refused,
}
