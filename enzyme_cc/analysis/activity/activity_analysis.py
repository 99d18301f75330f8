"""The algorithm of activity analysis: spreads activity and shadows over a function until nothing changes.

activity.py has the types of its result. Three steps:

1. Varied values and shadows spread from the arguments over the function, until nothing changes. Memory that the
   function makes itself (alloca, malloc) has no shadow at first. It gets one as soon as a varied value or a shadowed
   pointer can be stored in it.
2. Varied values from which an active output can be reached are useful.
3. The globals that became active, and whether pointers without a shadow were stored, are returned for the caller to
   join with its state. They concern the whole program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized

from msgspec import Struct

from ...ir.cfg import ControlFlow
from ...ir.constants import ConstantExpr, GlobalRef
from ...ir.graphs import reachable
from ...ir.instructions import ADDRESS_STEPS, COMPARISONS, FUNCTION_CALLS
from ...ir.value_edges import BY_POINTER, JOINS
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.parallel.mpi import is_mpi
from ..callees import Callees, plain_name
from .activity import Activity, ArgumentActivity, GlobalFindings, GlobalState, ResultActivity, is_shadowed
from .carriers import Carriers
from .joined_words import joined_words


class ProgramFacts(Struct, frozen=True):
    """What the analysis reads of the whole program.

    - `globals_of`: the mutable globals that each function reaches.
    - `open_functions`: those that may call functions of the program of which no body is known: these may reach every
      global.
    - `ordering`: those in which threads of a team wait for others. What they do has a reverse.
    """

    callees: Callees
    carriers: Carriers
    globals_of: Mapping[str, frozenset[str]]
    open_functions: frozenset[str] = frozenset()
    ordering: frozenset[str] = frozenset()


def analyse_activity(
    function: Function,
    flow: ControlFlow,
    arguments: Sequence[ArgumentActivity],
    result: ResultActivity,
    program: ProgramFacts,
    state: GlobalState,
) -> tuple[Activity, GlobalFindings]:
    """Returns the activity of one function, and what it says of the whole program.

    If more is found of the program than `state` says, the result is out of date.
    """
    # blocks that never come back (abort, a failed assertion) have no adjoint
    returning = flow.reaching(b for b in flow.order if b.terminator.opcode == "ret")
    blocks = [b for b in flow.order if b in returning]
    sets = _Propagation(function, result, program, state)
    for argument, given in zip(function.arguments, arguments, strict=True):
        sets.enter_argument(argument, given)
    sets.spread(blocks)
    constant_pointers = frozenset(sets.constant_pointers(blocks))
    flags = bool(constant_pointers), sets.set_up_is_work_space, sets.handles_lead_outside
    findings = GlobalFindings(frozenset(sets.active_globals), *flags)
    activity = Activity(
        function=function,
        result=result,
        callees=program.callees,
        carriers=program.carriers,
        active_globals=findings.active_globals,
        varied=frozenset(sets.varied),
        useful=frozenset(_useful(sets, blocks)),
        shadowed_values=frozenset(sets.shadowed_values),
        objects=frozenset(sets.objects),
        active_calls=frozenset(sets.active_calls),
        shadow_results=frozenset(sets.shadow_results),
        constant_pointers=constant_pointers,
    )
    return activity, findings


class _Propagation:
    """The sets that grow while varied values and shadows spread."""

    def __init__(self, function: Function, result: ResultActivity, program: ProgramFacts, state: GlobalState) -> None:
        self.result = result
        self.callees = program.callees
        self.carriers = program.carriers
        self.active_globals = set(state.active_globals)
        self.varied: set[Value] = set()
        self.shadowed_values: set[Value] = set()
        self.objects: set[Instruction] = set()
        self.active_calls: set[Instruction] = set()
        self.shadow_results: set[Instruction] = set()
        self.set_up_is_work_space = state.set_up_is_work_space
        self.handles_lead_outside = state.handles_lead_outside
        self._globals_of = program.globals_of
        self._open_functions = program.open_functions
        self._ordering = program.ordering
        self._may_call_left_out = function.name in program.open_functions
        self._inactive_globals = state.inactive_globals
        self._tables = state.tables
        self._needs_shadow: set[Value] = set()
        self._stored_with_shadow: set[Value] = set()  # pointers put where their shadow will be expected

    def enter_argument(self, argument: Argument, activity: ArgumentActivity) -> None:
        """A duplicated pointer has a shadow; a duplicated number (forward mode) has a tangent."""
        is_number = self.carriers.adjoint_type(argument) is not None
        if is_number and activity is not ArgumentActivity.CONST:
            self.varied.add(argument)
        if activity is ArgumentActivity.DUP and (not is_number or self.carriers.can_point(argument)):
            self.shadowed_values.add(argument)

    def spread(self, blocks: Sequence[Block]) -> None:
        """Visits all instructions until nothing changes."""
        before = None
        while before != (before := self._size()):
            for block in blocks:
                for i in block.instructions:
                    _VISITORS.get(i.opcode, _Propagation._visit_plain)(self, i)

    def _size(self) -> tuple[int, ...]:
        sets: tuple[Sized, ...] = (
            self.varied,
            self.shadowed_values,
            self.objects,
            self.active_calls,
            self.shadow_results,
            self._needs_shadow,
            self.active_globals,
        )
        return tuple(len(s) for s in sets)

    def shadowed(self, value: Value) -> bool:
        return is_shadowed(value, self.shadowed_values, self.active_globals)

    def _carries(self, value: Value) -> bool:
        return value in self.varied or self.shadowed(value)

    def _mark(self, i: Instruction, varied: bool, shadowed: bool) -> None:
        if varied and self.carriers.adjoint_type(i) is not None:
            self.varied.add(i)
        if shadowed and self.carriers.can_point(i):
            self.shadowed_values.add(i)

    # -- instructions

    def _visit_plain(self, i: Instruction) -> None:
        """Arithmetic, casts, phis, selects, aggregates: the result carries what any operand carries."""
        is_varied = any(o in self.varied for o in i.operands) or any(w in self.varied for w in joined_words(i))
        self._mark(i, is_varied, any(map(self.shadowed, i.operands)))
        if i in self.shadowed_values and i.opcode in JOINS:
            for operand in i.operands:
                self._store_with_shadow(operand)

    def _visit_nothing(self, i: Instruction) -> None:
        """Comparisons and branches carry nothing."""

    def _visit_getelementptr(self, i: Instruction) -> None:
        self._mark(i, False, self.shadowed(i.operands[0]))

    def _visit_read(self, i: Instruction) -> None:
        shadowed = self.shadowed(i.operands[0])
        self._mark(i, shadowed, shadowed)

    def _visit_store(self, i: Instruction) -> None:
        value, pointer = i.operands
        if self._carries(value):
            self._require_shadow(pointer)
        if self.shadowed(pointer):
            self._store_with_shadow(value)

    def _visit_atomicrmw(self, i: Instruction) -> None:
        pointer, value = i.operands
        if self._carries(value):
            self._require_shadow(pointer)
        self._visit_read(i)

    def _visit_alloca(self, i: Instruction) -> None:
        if i in self.objects:
            self.shadowed_values.add(i)

    def _visit_ret(self, i: Instruction) -> None:
        if self.result.has_shadow and i.operands:
            self._store_with_shadow(i.operands[0])

    # -- calls

    def _visit_call(self, i: Instruction) -> None:
        _CALL_VISITORS[self.callees.of(i).kind](self, i)

    def _call_inactive(self, i: Instruction) -> None:
        base, known = self.callees.result_base(i), self.callees.of(i).known
        if base is not None:
            self._mark(i, False, self.shadowed(base))
        if known is not None and known.set_up and (i in self._needs_shadow or self.set_up_is_work_space):
            self._mark(i, False, True)  # what one of these calls made may lead to what another one was given
            self.set_up_is_work_space = True

    def _call_rule(self, i: Instruction) -> None:
        rule = self.callees.of(i).rule
        assert rule is not None
        varied = not rule.is_constant and any(o in self.varied for o in i.arguments)
        self._mark(i, varied, False)
        if varied and rule.outputs:
            self.active_calls.add(i)
            for k in rule.outputs:
                self._require_shadow(i.arguments[k])

    def _call_allocate(self, i: Instruction) -> None:
        if i in self.objects and self.carriers.can_point(i):
            self.shadowed_values.add(i)

    def _call_reallocate(self, i: Instruction) -> None:
        old = self.callees.moved_from(i)
        if i in self.objects:
            self._store_with_shadow(old)
        if self.shadowed(old):
            self.objects.add(i)
        self._call_allocate(i)

    def _call_copy(self, i: Instruction) -> None:
        target, source = self.callees.copy_operands(i)
        if self.shadowed(source):
            self._require_shadow(target)
        elif self.shadowed(target):
            self._require_shadow(source)
        self._mark(i, False, self.shadowed(target))

    def _call_fill(self, i: Instruction) -> None:
        self._mark(i, False, self.shadowed(i.arguments[0]))

    def _call_linear(self, i: Instruction) -> None:
        pointers = self.callees.linear_operands(i)
        if any(map(self.shadowed, pointers)):
            for pointer in pointers:
                self._require_shadow(pointer)

    def _call_defined(self, i: Instruction) -> None:
        name = self.callees.of(i).name
        may_call_left_out = name in self._open_functions
        of_body = self._globals_of.get(name, frozenset()) & self.active_globals
        touched = self.active_globals if may_call_left_out else of_body
        is_handled = name in self.callees.declared.handles
        self.handles_lead_outside |= is_handled and _leads_outside(i)
        has_reverse = is_handled or name in self._ordering
        active = has_reverse or any(map(self._carries, i.arguments)) or bool(touched)
        if active:
            for argument in i.arguments:
                if self.carriers.can_point(argument):
                    self._require_shadow(argument)
        if active or i in self.shadow_results:
            self.active_calls.add(i)
        if i in self.active_calls:
            self._mark(i, True, True)
            if i in self.shadowed_values:
                self.shadow_results.add(i)

    def _call_refused(self, i: Instruction) -> None:
        """A call that cannot be differentiated counts as active if any argument carries a derivative.

        A function of the program may also use an active global, or return a pointer whose shadow is needed. A message
        of MPI may carry a derivative that only the other rank knows of.
        """
        if is_mpi(plain_name(self.callees.of(i).name)):
            self.active_calls.add(i)
        may_be_active = self._may_call_left_out and (bool(self.active_globals) or i in self._needs_shadow)
        passed = self.callees.pointer_call(i)[1] if self.callees.of(i).kind is CalleeKind.INDIRECT else i.arguments
        if may_be_active or any(map(self._carries, passed)):
            self.active_calls.add(i)

    # -- shadows on demand

    def _store_with_shadow(self, value: Value) -> None:
        """Notes that a pointer is put where its shadow will be expected."""
        if self.carriers.can_point(value):
            self._require_shadow(value)
            self._stored_with_shadow.add(value)

    def _require_shadow(self, pointer: Value) -> None:
        """Gives the memory behind the pointer a shadow, if this function or a global makes that memory."""
        for value in reachable([pointer], self._shadow_sources):
            if isinstance(value, GlobalRef):
                self._activate_global(value.name)

    def _activate_global(self, name: str) -> None:
        variable = self.callees.module.globals.get(name)
        is_table = name in self._tables
        if variable is not None and (is_table or not variable.constant) and name not in self._inactive_globals:
            self.active_globals.add(name)

    def _shadow_sources(self, value: Value) -> Sequence[Value]:
        """Returns the values that need a shadow if this one does. Notes the objects that need one."""
        if isinstance(value, ConstantExpr):
            return value.operands
        if not isinstance(value, Instruction) or value in self._needs_shadow:
            return ()
        self._needs_shadow.add(value)
        if value.opcode == "alloca":
            self.objects.add(value)
            return ()
        if value.opcode in FUNCTION_CALLS:
            return self._shadow_sources_of_call(value)
        if value.opcode in BY_POINTER:
            return value.operands[:1]
        if value.opcode in COMPARISONS:
            return ()
        return [o for o in value.operands if self.carriers.can_point(o)]

    def _shadow_sources_of_call(self, call: Instruction) -> Sequence[Value]:
        kind = self.callees.of(call).kind
        if kind in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE):
            self.objects.add(call)
        elif kind in (CalleeKind.COPY, CalleeKind.FILL):
            return call.arguments[:1]
        elif kind is CalleeKind.INACTIVE:
            base = self.callees.result_base(call)
            return () if base is None else (base,)
        elif kind in (CalleeKind.DEFINED, CalleeKind.CUSTOM) and self.carriers.can_point(call):
            self.shadow_results.add(call)
            # the result may point into the same memory as an argument
            return [a for a in call.arguments if self.carriers.can_point(a)]
        return ()

    # -- pointers without a shadow

    def constant_pointers(self, blocks: Iterable[Block]) -> Iterator[Value]:
        """Yields the pointers that are put where their shadow will be expected, and the memory they are copied from."""
        yield from filter(self._points_at_constants, self._stored_with_shadow)
        for i in (i for block in blocks for i in block.instructions):
            if i.opcode in FUNCTION_CALLS and self.callees.of(i).kind is CalleeKind.COPY:
                target, source = self.callees.copy_operands(i)
                is_from_constant = self.shadowed(target) and self._points_at_constants(source)
                if is_from_constant and self.carriers.holds_pointers(target, source):
                    yield source

    def _points_at_constants(self, pointer: Value) -> bool:
        return isinstance(pointer, Argument | Instruction) and not self.shadowed(pointer)


def _leads_outside(call: Instruction) -> bool:
    """Returns whether memory is accessed that the result of a handle leads to, and the handle may be made outside."""
    is_followed = any(user.opcode == "load" for user in reachable([call], _addresses) if user is not call)
    return is_followed and any(isinstance(a, Argument) or _is_loaded(a) for a in call.arguments)


def _is_loaded(value: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode not in FUNCTION_CALLS


def _addresses(i: Instruction) -> Iterator[Instruction]:
    return (user for user in i.users if i.opcode != "load" and user.opcode in ADDRESS_STEPS)


# -- usefulness


def _useful(sets: _Propagation, blocks: Iterable[Block]) -> Iterable[Value]:
    """Yields the varied values that can influence an active output."""
    outputs = (value for block in blocks for i in block.instructions for value in _outputs(sets, i))

    def influences(value: Value) -> Sequence[Value]:
        if not isinstance(value, Instruction) or value.opcode == "load":
            return ()
        return [o for o in (*value.operands, *joined_words(value)) if o in sets.varied]

    return reachable([value for value in outputs if value in sets.varied], influences)


def _outputs(sets: _Propagation, i: Instruction) -> Sequence[Value]:
    """Returns the operands that an instruction passes out: to memory, to an active call, to the caller."""
    if i.opcode == "ret":
        return () if sets.result is ResultActivity.NONE else i.operands
    if i.opcode == "store":
        return i.operands[:1] if sets.shadowed(i.operands[1]) else ()
    if i.opcode == "atomicrmw":
        return i.operands[1:] if sets.shadowed(i.operands[0]) else ()
    if i.opcode in FUNCTION_CALLS and i in sets.active_calls:
        return i.arguments
    return ()


_Visitor = Callable[[_Propagation, Instruction], None]
_VISITORS: dict[str, _Visitor] = {
    "getelementptr": _Propagation._visit_getelementptr,
    "load": _Propagation._visit_read,
    "store": _Propagation._visit_store,
    "atomicrmw": _Propagation._visit_atomicrmw,
    "cmpxchg": _Propagation._visit_read,
    "alloca": _Propagation._visit_alloca,
    "call": _Propagation._visit_call,
    "invoke": _Propagation._visit_call,
    "ret": _Propagation._visit_ret,
    "icmp": _Propagation._visit_nothing,
    "fcmp": _Propagation._visit_nothing,
    "br": _Propagation._visit_nothing,
    "switch": _Propagation._visit_nothing,
}

_CALL_VISITORS: dict[CalleeKind, _Visitor] = {
    CalleeKind.DEFINED: _Propagation._call_defined,
    CalleeKind.CUSTOM: _Propagation._call_defined,
    CalleeKind.RULE: _Propagation._call_rule,
    CalleeKind.INACTIVE: _Propagation._call_inactive,
    CalleeKind.STACK: _Propagation._call_inactive,
    CalleeKind.FREE: _Propagation._call_inactive,
    CalleeKind.ALLOCATE: _Propagation._call_allocate,
    CalleeKind.REALLOCATE: _Propagation._call_reallocate,
    CalleeKind.COPY: _Propagation._call_copy,
    CalleeKind.FILL: _Propagation._call_fill,
    CalleeKind.LINEAR: _Propagation._call_linear,
    CalleeKind.INDIRECT: _Propagation._call_refused,
    CalleeKind.ASM: _Propagation._call_refused,
    CalleeKind.UNKNOWN: _Propagation._call_refused,
}
