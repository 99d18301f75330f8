"""What all code that emits a derivative has: where the code goes, and the primal's values with their shadows.

Three things extend this: the primal sweep and forward mode, which clone the primal (cloning.py), and the reverse sweep.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from ...ir.builder import Builder
from ...ir.values import Instruction, Value
from ..analyses.function_analyses import FunctionAnalyses

#: the size of the memory that takes what is written to shadows of constant memory: a vector of numbers at most
SCRATCH_BYTES = 64


class Sweep(ABC):
    """One pass over a primal that emits code by a builder, for one direction of vector mode at a time."""

    forward: ClassVar[bool] = False  # shadows hold tangents, not adjoints
    has_all_values: ClassVar[bool] = True  # all values of the primal can be had; the tape has those that are planned
    is_plain: bool = False  # all tests of additions of a team hold
    is_alone: bool = False  # the derivative is of a team's region, and is run by a team of one

    def __init__(self, analyses: FunctionAnalyses, b: Builder) -> None:
        self.analyses = analyses
        self.round = analyses.round
        self.activity = analyses.activity
        self.direction = 0  # the direction of vector mode that shadows and adjoints belong to
        self.b = b

    def directions(self) -> Iterator[int]:
        """Makes each direction the current one."""
        for direction in range(self.analyses.signature.directions):
            self.direction = direction
            yield direction
        self.direction = 0

    @abstractmethod
    def of(self, value: Value) -> Value:
        """Returns what a primal value is in the derivative."""

    @abstractmethod
    def shadow_of(self, value: Value) -> Value:
        """Returns the shadow of a pointer."""

    @abstractmethod
    def scratch(self) -> Value:
        """Returns memory that takes what is written to the shadow of constant memory."""

    def early(self, key: object, make: Callable[[], Value]) -> Value:
        """Returns what is emitted: once for each key at the entry of the derivative, or here if the key is None."""
        return make()

    def anchor(self, pointer: Value) -> Value:
        """Returns the pointer that is compared with its shadow in place of this one, which is computed from it.

        Both are their own shadows, or none is. What an address is computed from is often the same in each iteration.
        """
        while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
            base = pointer.operands[0]
            if not self.activity.shadowed(base):
                break
            pointer = base
        return pointer
