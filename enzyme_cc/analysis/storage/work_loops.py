"""Finds loops whose iterations OpenMP divides among the threads of a team, and accesses that are apart in these.

A thread's part of such a loop is between bounds that the library stores in local variables. No two threads get the same
value of the loop's variable. So an access at base + step · variable is apart from the same access of other threads if
the base is the same for all threads, and the step is as large as what is accessed (apart_additions.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import Constant, ConstantInt, GlobalRef
from ...ir.folding import is_zero
from ...ir.graphs import reachable
from ...ir.instructions import COMPUTED_EARLY, EXTENSIONS, INTEGER_SUMS, MULTIPLICATIVE, RESIZES
from ...ir.types import alloc_size, is_pointer
from ...ir.values import Argument, Block, Instruction, Value
from ...rules.parallel.openmp import STATIC_LOOP
from ..callees import plain_name
from ..integers.loops import Induction, induction, is_invariant
from ..region_calls import LEADING
from .regions import linear_operands

#: the operands behind which these store the bounds: the lower and the upper one
_STATIC, _DYNAMIC = STATIC_LOOP, "__kmpc_dispatch_next_"
_BOUNDS = {_STATIC: (4, 5), _DYNAMIC: (3, 4)}
_BEGINS = (_STATIC, "__kmpc_dispatch_init_")
_BARRIER = "__ez_team_barrier"
_LIMITS = ("llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax.")
#: how many operations are followed
_DEEP = 12


class WorkLoop(NamedTuple):
    """A loop over the part of a thread. `variable` counts between the bounds that `call` stores.

    `from_zero`: it counts from zero, as flang has it, and the lower bound is added to it. `first`: the lower bound.
    """

    loop: Loop
    variable: Induction
    call: Instruction
    first: Value
    from_zero: bool = False


class WorkPlace(NamedTuple):
    """An address in a work loop: base + factor · variable + other values with their factors + a number of bytes.

    `call` stores the bounds of the loop. `step`: what an iteration adds to the address.
    """

    call: Instruction
    base: Value | None
    factor: int
    step: int
    terms: frozenset[tuple[Value, int]]
    offset: int
    size: int

    def is_alike(self, other: WorkPlace) -> bool:
        """True if the places are at the same distance in all iterations."""
        return (self.call, self.factor, self.step, self.terms) == (other.call, other.factor, other.step, other.terms)


def is_computed_early(i: Instruction) -> bool:
    """True if the instruction can be executed earlier than it is, once there are its operands."""
    by = i.operands[1] if i.opcode in MULTIPLICATIVE else None
    return i.opcode in COMPUTED_EARLY or (isinstance(by, ConstantInt) and by.value > 0)


def work_loops(flow: ControlFlow) -> Iterator[WorkLoop]:
    """Yields the loops of a function that OpenMP divides, as far as their form is known."""
    calls = [i for block in flow.order for i in block.instructions if _bounds(i) is not None]
    for loop in flow.loops if calls else ():
        for phi in loop.header.phis:
            variable = induction(phi, loop)
            found = (_divided(variable, loop, call) for call in calls) if variable is not None else ()
            yield from itertools.islice((work for work in found if work is not None), 1)


def narrow_ends(flow: ControlFlow) -> Iterator[tuple[WorkLoop, Instruction]]:
    """Yields the loops that compare the last bits of a wider variable with a limit, and that comparison.

    LLVM makes these where it widens a variable. The variable does not get beyond the limit,
    which the library has given.
    """
    for work in work_loops(flow):
        test = work.loop.exit_edges[0][0].terminator.operands[0]
        assert isinstance(test, Instruction)
        side = test.operands[1]
        if test.predicate in ("eq", "ne") and isinstance(side, Instruction) and side.opcode == "trunc":
            yield work, test


def _name(i: Instruction) -> str:
    return plain_name(i.callee.name) if i.opcode == "call" and isinstance(i.callee, GlobalRef) else ""


def _bounds(i: Instruction) -> tuple[Value, Value] | None:
    """Returns the places where a call stores the bounds."""
    numbers = next((n for name, n in _BOUNDS.items() if _name(i).startswith(name)), None)
    return None if numbers is None else (i.arguments[numbers[0]], i.arguments[numbers[1]])


def _divided(variable: Induction, loop: Loop, call: Instruction) -> WorkLoop | None:
    """Returns the loop as one over the bounds that a call stores; None if it is none."""
    bounds = _bounds(call)
    assert bounds is not None
    ends = [inside.terminator for inside, _ in loop.exit_edges]
    first = _unextended(variable.start)
    if not variable.step or len(ends) != 1:
        return None
    if _is_load_of(first, bounds[0]) and _is_end(ends[0], variable, loop, bounds[1]):
        return WorkLoop(loop, variable, call, first)
    lower = _length(ends[0], variable, bounds) if is_zero(first) and variable.step == 1 else None
    return None if lower is None else WorkLoop(loop, variable, call, lower, from_zero=True)


def _length(end: Instruction, variable: Induction, bounds: tuple[Value, Value]) -> Value | None:
    """Returns the lower bound if a loop ends after as many iterations as the bounds tell."""
    test = end.operands[0]
    if end.opcode != "br" or not isinstance(test, Instruction) or test.opcode != "icmp":
        return None
    for length in map(_unextended, test.operands):
        if isinstance(length, Instruction) and length.opcode == "add" and isinstance(length.operands[1], ConstantInt):
            length = _unextended(length.operands[0])
        if not isinstance(length, Instruction) or length.opcode != "sub":
            continue
        upper, lower = map(_unextended, length.operands)
        if _is_load_of(upper, bounds[1]) and _is_load_of(lower, bounds[0]):
            return lower
    return None


def _is_end(end: Instruction, variable: Induction, loop: Loop, upper: Value) -> bool:
    """True if the loop ends where the variable passes the upper bound."""
    test = end.operands[0]
    if end.opcode != "br" or not isinstance(test, Instruction) or test.opcode != "icmp":
        return False
    own = {variable.phi, *(v for v, b in variable.phi.incoming if b in loop.blocks)}
    sides = [_unextended(o) for o in test.operands]
    return any(a in own and is_invariant(b, loop) and _is_from(b, upper) for a, b in (sides, sides[::-1]))


def _unextended(value: Value) -> Value:
    while isinstance(value, Instruction) and value.opcode in RESIZES:
        value = value.operands[0]
    return value


def _is_load_of(value: Value, place: Value) -> bool:
    return isinstance(value, Instruction) and value.opcode == "load" and value.operands[0] is place


def _is_from(value: Value, place: Value, depth: int = _DEEP) -> bool:
    """True if a limit is made of what was loaded from a place, and of constants or other limits."""
    value = _unextended(value)
    if _is_load_of(value, place):
        return True
    if not isinstance(value, Instruction) or not depth:
        return False
    if value.opcode in INTEGER_SUMS and isinstance(value.operands[1], ConstantInt):
        return _is_from(value.operands[0], place, depth - 1)
    is_limit = value.opcode == "select" or _name(value).startswith(_LIMITS)
    operands = value.arguments if value.opcode == "call" else value.operands[1:]
    return is_limit and any(_is_from(o, place, depth - 1) for o in operands)


class Divided(Struct, frozen=True, dict=True):
    """The accesses of a region's function, which all threads of one team run with the same captures."""

    flow: ControlFlow

    @cached_property
    def loops(self) -> dict[Loop, WorkLoop]:
        """The loops that OpenMP divides."""
        return {found.loop: found for found in work_loops(self.flow)}

    @property
    def places(self) -> dict[Instruction, tuple[Value, Value]]:
        """The calls that store bounds of loops, and the places of the lower and the upper ones."""
        found = ((i, _bounds(i)) for block in self.flow.order for i in block.instructions)
        return {i: bounds for i, bounds in found if bounds is not None}

    def work_around(self, i: Instruction) -> WorkLoop | None:
        """Returns the innermost loop around an instruction that OpenMP divides."""
        assert i.block is not None
        return next((self.loops[loop] for loop in self.flow.loops_around(i.block) if loop in self.loops), None)

    def place(self, access: Instruction, pointer: Value, size: int) -> WorkPlace | None:
        """Returns the place of an access in the work loop around it; None if it is not known."""
        work = self.work_around(access)
        if work is None or not self.begins_once(work):
            return None
        terms: dict[Value, int] = {}
        offset = self._add(terms, pointer, 1, work, _DEEP)
        factor = terms.pop(work.variable.phi, 0)
        bases = [value for value, scale in terms.items() if is_pointer(value.type) and scale == 1]
        if offset is None or abs(factor * work.variable.step) < size or len(bases) != 1:
            return None
        del terms[bases[0]]
        step = factor * work.variable.step
        return WorkPlace(work.call, bases[0], factor, step, frozenset(terms.items()), offset, size)

    def bounds(self, call: Instruction) -> tuple[Value, Value] | None:
        """Returns the bounds of all iterations of a loop, before they are divided."""
        begin = self._begin(call)
        if begin is None or begin is not call:
            return None if begin is None else (begin.arguments[3], begin.arguments[4])
        places = _bounds(call)
        assert places is not None and call.block is not None
        stores = [i for i in call.block.instructions if i.opcode == "store"]
        before = stores[: sum(1 for i in stores if _is_before(i, call))]
        found = [next((i.operands[0] for i in reversed(before) if i.operands[1] is p), None) for p in places]
        return (found[0], found[1]) if found[0] is not None and found[1] is not None else None

    def _add(self, terms: dict[Value, int], value: Value, factor: int, work: WorkLoop, depth: int) -> int | None:
        """Adds the terms of a linear value, and returns its constant part; None if threads may have different ones."""
        if isinstance(value, ConstantInt):
            return factor * value.value
        if value is work.variable.phi or self.is_same_for_all(value, depth):
            terms[value] = terms.get(value, 0) + factor
            return 0
        if not isinstance(value, Instruction) or not depth or linear_operands(value, (work.loop,)) is None:
            return None
        total = 0
        for operand, scale in _scaled(value):
            part = None if scale is None else self._add(terms, operand, factor * scale, work, depth - 1)
            if part is None:
                return None
            total += part
        return total

    def is_same_for_all(self, value: Value, depth: int = _DEEP) -> bool:
        """True if all threads have the same value, while no barrier comes between."""
        if isinstance(value, Argument):
            return value.index >= LEADING
        if isinstance(value, Constant):
            return True
        if not isinstance(value, Instruction) or not depth:
            return False
        if value.opcode == "load":
            return not value.flags and self._is_shared(value.operands[0], depth - 1)
        if value.opcode == "call":
            return _name(value).startswith(_LIMITS) and all(self.is_same_for_all(o, depth - 1) for o in value.arguments)
        if is_computed_early(value):
            return all(self.is_same_for_all(o, depth - 1) for o in value.operands)
        return False

    def _is_shared(self, pointer: Value, depth: int) -> bool:
        """True if the pointer is the same for all threads: no address of a thread's own variable is."""
        return self.is_same_for_all(pointer, depth)

    # -- what may run at the same time

    def may_run_together(self, access: Instruction, other: Instruction) -> bool:
        """True if no barrier comes between two accesses, in whatever order threads make them."""
        assert access.block is not None and other.block is not None
        a, b = access.block, other.block
        return b in self._reached(a) or a in self._reached(b)

    def begins_once(self, work: WorkLoop) -> bool:
        """True if a barrier comes between two divisions of the loop."""
        begin = self._begin(work.call)
        return begin is not None and begin.block not in self._beyond(work.loop.header)

    def _begin(self, call: Instruction) -> Instruction | None:
        """Returns the call that begins the division, which is made once for all parts."""
        block: Block | None = call.block
        while block is not None:
            for i in reversed(block.instructions):
                if _name(i).startswith(_BEGINS):
                    return i
            block = None if self.flow.idom[block] is block else self.flow.idom[block]
        return None

    def _reached(self, block: Block) -> frozenset[Block]:
        return frozenset([block]) | self._beyond(block)

    def _beyond(self, block: Block) -> frozenset[Block]:
        """Returns the blocks to which control goes from a block without a barrier between."""

        def following(b: Block) -> list[Block]:
            return [] if b is not block and _has_barrier(b) else b.successors

        return frozenset(reachable(block.successors, following))


def _is_before(first: Instruction, second: Instruction) -> bool:
    assert first.block is not None
    order = first.block.instructions
    return order.index(first) < order.index(second)


def _has_barrier(block: Block) -> bool:
    return any(_name(i).startswith(_BARRIER) for i in block.instructions)


def _scaled(value: Instruction) -> list[tuple[Value, int | None]]:
    """Returns the operands of a linear value, each with its factor; None if that is no constant."""
    first, *rest = value.operands
    opcode = value.opcode
    if opcode in EXTENSIONS:
        return [(first, 1)]
    if opcode in INTEGER_SUMS or opcode == "or":
        return [(first, 1), (rest[0], -1 if opcode == "sub" else 1)]
    if opcode == "getelementptr" and len(rest) == 1:
        return [(first, 1), (rest[0], alloc_size(value.source_type))]
    by = rest[0].value if rest and isinstance(rest[0], ConstantInt) else None
    if by is not None and opcode == "mul":
        return [(first, by)]
    return [(first, 1 << by if by is not None and opcode == "shl" else None)]
