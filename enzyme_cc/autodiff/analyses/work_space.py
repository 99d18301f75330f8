"""Finds arguments that count as constant, though the function uses them as work space.

    double f(struct solver *s, double x) { s->x = x; return run(s); }    with s as enzyme_const

What the caller left in `s` is constant. f itself stores a number there and reads it again. That number carries a
derivative, as it would in a local variable. So the request passes `s` as its own shadow: `s` then counts as memory
without a shadow, and the runtime keeps the shadows of what is stored there (emit/shadow_access).

Below, "differentiated code stores" means that it stores a number or a pointer with a derivative, and "reads" means that
it reads a number. A constant argument is work space in each of these cases:

- Differentiated code stores behind the argument, and reads behind it.
- It stores behind the argument, and reads from a global or behind one: both may be the same memory.
- It stores in a global or behind one, and reads behind the argument, for the same reason.
- It stores behind one constant argument, and reads behind another one that may lead to the same memory. Both arguments
  are work space then.
- The address of the argument is put into memory with a shadow, and differentiated code stores by pointers that it loads
  from memory with a shadow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...analysis.activity.activity import ArgumentActivity
from ...ir.constants import ConstantExpr, GlobalRef
from ...ir.graphs import reachable
from ...ir.instructions import ATOMIC_UPDATES, FUNCTION_CALLS, STORES
from ...ir.types import is_pointer
from ...ir.value_edges import BY_POINTER, FROM_ELSEWHERE
from ...ir.values import Argument, Instruction, Value
from ...rules.knowledge import CalleeKind
from ..core.round import ExploredRound
from ..core.signature import Signature
from .active_function import ActiveFunction
from .old_keys import blocks_never_reached, is_only_compared
from .routines import written_parameters

#: whether the request may pass the same memory to two parameters
MaySame = Callable[[Signature, int, int], bool]


class _Place(NamedTuple):
    """Memory of a constant argument: what it points at, or what lies behind pointers there."""

    argument: int
    is_behind: bool


class _Origin(NamedTuple):
    """The arguments that a pointer comes from. It may be loaded from memory with a shadow, or come from a global."""

    constant: frozenset[_Place] = frozenset()
    shadowed: frozenset[int] = frozenset()
    is_loaded: bool = False
    is_global: bool = False


class _Uses(NamedTuple):
    """What the code of one signature does with arguments.

    - `written`, of constant ones: numbers or pointers with a derivative are stored there.
    - `read`, of constant ones: numbers are read there.
    - `kept`, of constant ones: they are put into memory with a shadow.
    - `behind`, of others: numbers or pointers with a derivative are stored there.
    - `by_loaded`: such are stored by pointers that are loaded from memory with a shadow.
    - `reads_globals`: numbers may be read from globals that may change, or behind pointers in them.
    - `writes_globals`: numbers or pointers with a derivative are stored there.
    """

    written: frozenset[_Place] = frozenset()
    read: frozenset[_Place] = frozenset()
    kept: frozenset[int] = frozenset()
    behind: frozenset[int] = frozenset()
    by_loaded: bool = False
    reads_globals: bool = False
    writes_globals: bool = False

    def joined(self, other: _Uses) -> _Uses:
        return _Uses(
            self.written | other.written,
            self.read | other.read,
            self.kept | other.kept,
            self.behind | other.behind,
            self.by_loaded or other.by_loaded,
            self.reads_globals or other.reads_globals,
            self.writes_globals or other.writes_globals,
        )

    def seen_through(self, parameter: int, origin: _Origin) -> _Uses:
        """Returns what a caller does that passes a pointer of this origin to a parameter."""
        written, read = (
            frozenset(
                _Place(o.argument, o.is_behind or u.is_behind)
                for u in used
                if u.argument == parameter
                for o in origin.constant
            )
            for used in (self.written, self.read)
        )
        kept = _arguments(origin.constant) if parameter in self.kept else frozenset[int]()
        is_behind = parameter in self.behind
        is_written = is_behind or any(place.argument == parameter for place in self.written)
        return _Uses(
            written,
            read,
            kept,
            origin.shadowed if is_behind else frozenset(),
            is_behind and origin.is_loaded,
            origin.is_global,
            is_written and origin.is_global,
        )


class _Call(NamedTuple):
    """An active call: by parameter, where what it passes comes from."""

    callee: Signature
    passed: dict[int, _Origin]


def work_space(
    round: ExploredRound, roots: list[Signature], is_last: bool, may_be_same: MaySame
) -> dict[Signature, frozenset[int]]:
    """Returns the constant arguments of the roots that are work space. The round is explored.

    Where a derivative that is differentiated again stores in work space, it ends the program. Unless the round is the
    last one, results that are kept for the next call make no work space: as constants, they are computed again.
    """
    keys_are_old = not is_last
    if not any(_may_be_work_space(round, root) for root in roots):
        return {}
    uses, calls = dict[Signature, _Uses](), dict[Signature, list[_Call]]()
    callers: dict[Signature, list[Signature]] = {}

    def called(signature: Signature) -> list[Signature]:
        if not round.callees.has_body(signature.function):
            return []
        finder = _Finder(ActiveFunction(round, signature), keys_are_old)
        uses[signature], calls[signature] = finder.uses(), list(finder.calls())
        return [call.callee for call in calls[signature]]

    for _ in reachable(roots, called):
        pass
    for signature, made in calls.items():
        for call in made:
            callers.setdefault(call.callee, []).append(signature)
    waiting = list(uses)
    while waiting:
        for caller in dict.fromkeys(callers.get(waiting.pop(), ())):
            new = _with_calls(uses, uses[caller], calls[caller])
            if new != uses[caller]:
                uses[caller] = new
                waiting.append(caller)
    by_loaded = any(found.by_loaded for found in uses.values())
    by_handles = round.state.handles_lead_outside  # any memory may be read and written
    reads_globals = by_handles or any(found.reads_globals for found in uses.values())
    writes_globals = by_handles or any(found.writes_globals for found in uses.values())
    found = {root: _work_space_of(uses[root], by_loaded, reads_globals) for root in roots if root in uses}
    for root, arguments in found.items():
        met = _same_memory(round, root, uses[root], may_be_same)
        others = _unrestricted(round, root, uses[root].read) if writes_globals else frozenset[int]()
        others |= _arguments(uses[root].read) if by_handles else frozenset()
        found[root] = arguments | met | others
    return {root: arguments for root, arguments in found.items() if arguments}


def _may_be_work_space(round: ExploredRound, root: Signature) -> bool:
    parameters = round.source.functions[root.function].arguments
    pairs = zip(root.arguments, parameters, strict=True)
    return any(activity is ArgumentActivity.CONST and is_pointer(p.type) for activity, p in pairs)


def _work_space_of(uses: _Uses, by_loaded: bool, reads_globals: bool) -> frozenset[int]:
    written, read = _arguments(uses.written), _arguments(uses.read)
    return (written if reads_globals else written & read) | (uses.kept if by_loaded else frozenset())


def _same_memory(round: ExploredRound, root: Signature, uses: _Uses, may_be_same: MaySame) -> frozenset[int]:
    """Returns the arguments behind which a number may be stored by one and read by another."""

    def may_meet(a: _Place, b: _Place) -> bool:
        if a.argument == b.argument or len(_unrestricted(round, root, [a, b])) < 2:
            return False
        return a.is_behind or b.is_behind or may_be_same(root, a.argument, b.argument)

    pairs = ((w, r) for w in uses.written for r in uses.read if may_meet(w, r))
    return _arguments(place for pair in pairs for place in pair)


def _unrestricted(round: ExploredRound, root: Signature, places: Iterable[_Place]) -> frozenset[int]:
    """Returns the arguments of the places that may be reached by other names, too."""
    parameters = round.source.functions[root.function].arguments
    return _arguments(p for p in places if p.is_behind or "noalias" not in parameters[p.argument].attributes.split())


def _arguments(places: Iterable[_Place]) -> frozenset[int]:
    return frozenset(place.argument for place in places)


def _with_calls(uses: dict[Signature, _Uses], own: _Uses, calls: Iterable[_Call]) -> _Uses:
    for call in calls:
        inner = uses.get(call.callee, _Uses())
        for k, origin in call.passed.items():
            own = own.joined(inner.seen_through(k, origin))
    return own


class _Finder:
    """Looks at one function with the activities of one signature."""

    def __init__(self, active: ActiveFunction, keys_are_old: bool) -> None:
        self._active = active
        self._keys_are_old = keys_are_old
        self._activity = active.activity
        self._callees = active.activity.callees
        self._origins: dict[Value, _Origin] = {}

    def uses(self) -> _Uses:
        """Returns what the function does by itself."""
        found = _Uses(kept=_arguments(self._constant(self._activity.constant_pointers)))
        for i in self._instructions():
            for origin in map(self._origin, self._written(i)):
                found = found.joined(_Uses(origin.constant, behind=origin.shadowed, by_loaded=origin.is_loaded))
            read = self._constant(self._read(i))
            if i.is_call and self._callees.of(i).kind not in (CalleeKind.COPY, CalleeKind.LINEAR):
                read |= frozenset(place._replace(is_behind=True) for place in read)
            if read - found.read:
                found = found.joined(_Uses(read=read))
            if not found.reads_globals and self._reads_globals(i):
                found = found.joined(_Uses(reads_globals=True))
            if not found.writes_globals and self._in_globals(self._written(i)):
                found = found.joined(_Uses(writes_globals=True))
        return found

    def calls(self) -> Iterator[_Call]:
        """Yields the active calls of functions with a body."""
        for call in self._instructions():
            if call in self._activity.active_calls and self._callees.of(call).kind is CalleeKind.DEFINED:
                passed = {k: self._origin(argument) for k, argument in enumerate(call.arguments)}
                yield _Call(self._active.called(call), {k: origin for k, origin in passed.items() if any(origin)})

    def _instructions(self) -> Iterator[Instruction]:
        """Yields what derivatives get to."""
        flow = self._active.round.flow(self._active.function)
        left_out = blocks_never_reached(self._activity, flow) if self._keys_are_old else ()
        for block in flow.order:
            yield from block.instructions if block not in left_out else ()

    def _constant(self, pointers: Iterable[Value]) -> frozenset[_Place]:
        return frozenset[_Place]().union(*(self._origin(pointer).constant for pointer in pointers))

    def _carries(self, value: Value) -> bool:
        return value in self._activity.varied or self._activity.shadowed(value)

    def _written(self, i: Instruction) -> Sequence[Value]:
        """Returns pointers behind which an instruction writes something with a derivative."""
        if i.opcode in STORES:
            value, pointer = i.operands if i.opcode == "store" else i.operands[::-1]
            return (pointer,) if self._carries(value) else ()
        if i.opcode not in FUNCTION_CALLS:
            return ()
        callee = self._callees.of(i)
        if callee.kind is CalleeKind.COPY:
            target, source = self._callees.copy_operands(i)
            return (target,) if self._activity.shadowed(source) else ()
        if callee.kind is CalleeKind.RULE and i in self._activity.active_calls:
            assert callee.rule is not None
            return [i.arguments[k] for k in callee.rule.outputs]
        if callee.kind is CalleeKind.LINEAR:
            pointers = self._callees.linear_operands(i)
            return pointers if self._activity.any_shadowed(pointers) else ()
        is_routine = callee.name in self._active.round.registered.libraries and i in self._activity.active_calls
        return [i.arguments[k] for k in written_parameters(self._active.round, callee.name)] if is_routine else ()

    def _read(self, i: Instruction) -> Sequence[Value]:
        """Returns pointers behind which an instruction may read a number, calls with derivatives excepted."""
        if i.opcode == "load" or i.opcode in ATOMIC_UPDATES:
            if is_only_compared(i):
                return ()
            return i.operands[:1] if self._activity.carriers.adjoint_type(i) is not None else ()
        if i.opcode not in FUNCTION_CALLS:
            return ()
        kind = self._callees.of(i).kind
        if kind is CalleeKind.COPY:
            return self._callees.copy_operands(i)[1:]
        if kind is CalleeKind.LINEAR:
            return self._callees.linear_operands(i)
        is_other = kind in (CalleeKind.CUSTOM, CalleeKind.INDIRECT, CalleeKind.UNKNOWN)
        is_plain = kind is CalleeKind.DEFINED and i not in self._activity.active_calls
        return i.arguments if is_other or is_plain else ()

    def _reads_globals(self, i: Instruction) -> bool:
        """Returns whether an instruction may read a number from a global that may change, or behind one."""
        if i.is_call and self._callees.of(i).kind is CalleeKind.DEFINED and i not in self._activity.active_calls:
            return bool(self._active.round.globals_of.get(self._callees.of(i).name))
        return self._in_globals(self._read(i))

    def _in_globals(self, pointers: Iterable[Value]) -> bool:
        """Returns whether pointers lead to a global that may change, or to what lies behind one."""
        places = reachable(pointers, self._places)
        return any(map(self._is_global, places))

    def _is_global(self, place: Value) -> bool:
        """Returns whether a place is a global that may change, or the result of a function that uses one."""
        if isinstance(place, Instruction) and place.is_call and place not in self._activity.objects:
            callee = self._callees.of(place)
            return callee.kind is CalleeKind.DEFINED and bool(self._active.round.globals_of.get(callee.name))
        return isinstance(place, GlobalRef) and self._may_change(place.name)

    def _places(self, pointer: Value) -> Iterable[Value]:
        """Returns the pointers to the same memory, and to memory in which it lies."""
        if isinstance(pointer, ConstantExpr):
            return pointer.operands
        if not isinstance(pointer, Instruction) or not self._can_point(pointer):
            return ()
        if pointer.is_call:
            return pointer.arguments if self._callees.of(pointer).kind is CalleeKind.DEFINED else ()
        return pointer.operands[:1] if pointer.opcode in BY_POINTER else pointer.operands

    def _may_change(self, name: str) -> bool:
        variable = self._active.round.source.globals.get(name)
        return variable is not None and not variable.constant

    def _origin(self, pointer: Value) -> _Origin:
        if pointer not in self._origins:
            found = set(reachable([pointer], self._sources))
            arguments = {v.index: v for v in found if isinstance(v, Argument) and self._can_point(v)}
            shadowed = frozenset(k for k, v in arguments.items() if self._activity.shadowed(v))
            constant = frozenset(
                _Place(k, is_behind)
                for is_behind, values in ((False, self._based(pointer)), (True, self._behind(found)))
                for k in arguments
                if arguments[k] in values and k not in shadowed and self._is_constant_argument(k)
            )
            is_loaded = any(self._is_loaded(v) for v in found if isinstance(v, Instruction))
            self._origins[pointer] = _Origin(constant, shadowed, is_loaded, self._in_globals([pointer]))
        return self._origins[pointer]

    def _based(self, pointer: Value) -> set[Value]:
        """Returns the pointers into the memory that a pointer surely points into."""
        return set(reachable([pointer], lambda value: () if _may_lead(value) else self._sources(value)))

    def _behind(self, found: Iterable[Value]) -> set[Value]:
        """Returns the pointers that lead to memory by pointers there. `found`: all that lead to it."""
        return set(reachable([v for i in found if _may_lead(i) for v in self._sources(i)], self._sources))

    def _is_constant_argument(self, k: int) -> bool:
        return self._active.signature.arguments[k] is ArgumentActivity.CONST

    def _is_loaded(self, i: Instruction) -> bool:
        return _may_lead(i) and self._activity.shadowed(i) and i not in self._activity.objects

    def _can_point(self, value: Value) -> bool:
        return self._activity.carriers.can_point(value)

    def _sources(self, value: Value) -> Iterable[Value]:
        """Returns the pointers to the same memory; for one without a shadow, also to memory in which it lies."""
        if not isinstance(value, Instruction) or not self._can_point(value) or self._is_loaded(value):
            return ()
        if value.opcode in BY_POINTER:
            return value.operands[:1]
        return value.arguments if value.opcode in FUNCTION_CALLS else value.operands


def _may_lead(value: Value) -> bool:
    """Returns whether a pointer may be loaded from memory that another one points at."""
    return isinstance(value, Instruction) and value.opcode in FROM_ELSEWHERE
