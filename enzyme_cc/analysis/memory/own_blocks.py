"""Heap blocks that a call allocates, uses alone, and frees: the storage of a vector of C++ that is a local variable.

A derivative need not allocate their shadows as the program allocates blocks, as no other code frees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import chain

from ...ir.folding import is_zero
from ...ir.value_edges import SAME_OBJECT
from ...ir.values import Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.memory_functions import heap_family
from ..callees import Callees, plain_name
from ..type_analysis.points_to import PointsTo
from ..values.flow import ends

_MOVES = (CalleeKind.FREE, CalleeKind.REALLOCATE)


class OwnBlocks:
    """Answers about functions that are differentiated.

    - `functions`: all of them: no other code frees a shadow;
    - `is_other`: of some calls, other code says what they do.
    """

    def __init__(
        self,
        functions: Iterable[Function],
        callees: Callees,
        points_to: PointsTo,
        is_other: Callable[[Instruction], bool],
    ) -> None:
        self._functions = list(functions)
        self._callees = callees
        self._points_to = points_to
        self._is_other = is_other
        #: returns where the pointer that a call frees comes from, apart from null
        self.freed_with: Callable[[Instruction], list[Value]] = cache(self._freed_with)

    def of(self, function: Function, is_private: Callable[[Value], bool]) -> frozenset[Instruction]:
        """Returns the calls of the function that allocate such blocks.

        `is_private`: whether a pointer leads into memory of the running call alone.
        """
        found = {i for i in function.instructions() if self._allocates(i) and is_private(i) and self._is_freed_in(i)}
        freed = [self.freed_with(i) for i in function.instructions() if self._moves(i)]
        while lost := {i for blocks in freed for i in found.intersection(blocks) if not found.issuperset(blocks)}:
            found -= lost
        return frozenset(found)

    def _freed_with(self, free: Instruction) -> list[Value]:
        return [v for v in ends([self._pointer(free)], SAME_OBJECT) if not is_zero(v)]

    def _allocates(self, i: Instruction) -> bool:
        if i.opcode != "call" or self._is_other(i):
            return False
        callee = self._callees.of(i)
        name = plain_name(callee.name)
        return callee.kind is CalleeKind.ALLOCATE and heap_family(name) is not None and "align" not in name

    def _is_freed_in(self, block: Instruction) -> bool:
        """Returns whether only frees of this function may free the block, by pointers that lead to allocations."""
        targets = self._points_to.targets(block)
        if targets is None or self._targets_of_frees is None:
            return False
        frees = [self._targets_of_frees[target] for target in targets if target in self._targets_of_frees]
        return bool(frees) and all(self._frees_plainly(f) and block in self.freed_with(f) for f in chain(*frees))

    def _frees_plainly(self, free: Instruction) -> bool:
        known = self._callees.of(free).known
        if known is None or known.kind is not CalleeKind.FREE or self._is_other(free):
            return False
        return not known.shadow_only and not known.arena  # what frees with a tape does not free at once

    @cached_property
    def _targets_of_frees(self) -> dict[int, list[Instruction]] | None:
        """For each object, the calls that may free it. None if a call may free anything."""
        found: dict[int, list[Instruction]] = {}
        for free in self._frees():
            targets = self._points_to.targets(self._pointer(free))
            if targets is None:
                return None
            for target in targets:
                found.setdefault(target, []).append(free)
        return found

    def _frees(self) -> Iterator[Instruction]:
        for function in self._functions:
            yield from filter(self._moves, function.instructions())

    def _moves(self, i: Instruction) -> bool:
        if i.opcode != "call":
            return False
        callee = self._callees.of(i)
        return callee.kind in _MOVES and callee.known is not None and not callee.known.primal_only

    def _pointer(self, free: Instruction) -> Value:
        known = self._callees.of(free).known
        assert known is not None
        return free.arguments[known.pointer]
