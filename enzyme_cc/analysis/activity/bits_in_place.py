"""Numbers that a program reads and writes as integers where they lie: keys through a `uint64_t *` to doubles.

The rules of aliasing (TBAA) forbid that, so declared integers count as integers. Where memory serves for numbers at one
time and for integers at another, that is right. Only the run tells the two apart: nobody reads an integer as a number.
The sweeps emit tests at the loads and stores that this file names.

The same holds for declared integers that may be parts of larger numbers, and are moved. Others are followed
(autodiff/normalise/bits/moved_parts.py).
"""

from __future__ import annotations

from functools import cached_property

from ...ir.constants import Constant
from ...ir.instructions import BIT_OPERATIONS, COPIES
from ...ir.types import IntType, store_size
from ...ir.value_edges import PASSES_ON
from ...ir.values import Instruction, Value
from ..type_analysis.analysis import Kind, TypeAnalysis

#: instructions that move an integer
_MOVES = COPIES | PASSES_ON


class BitsInPlace:
    """Loads and stores of declared integers where numbers of the same size may lie."""

    def __init__(self, types: TypeAnalysis) -> None:
        self._types = types
        self._found: dict[Instruction, bool] = {}
        self._parts: dict[Instruction, bool] = {}

    def is_read(self, load: Instruction) -> bool:
        """Returns whether a number is made of what the load reads: if that is a number, its derivative is lost."""
        if self._computes_bits(load) and self._types.number_flow.becomes_number(load, in_place=True):
            return True
        return any(user.opcode in _MOVES for user in load.users) and self._may_be_part(load, load, load.operands[0])

    def is_written(self, store: Instruction) -> bool:
        """Returns whether the store may write bits that are read as a number: its adjoint tells whether they are."""
        if self._is_anywhere and self._may_be_number(store, *store.operands):
            return True
        value, pointer = store.operands
        is_moved = isinstance(value.type, IntType) and any(True for _ in self._types.loads_of(value))
        return is_moved and self._may_be_part(store, value, pointer)

    def _may_be_part(self, i: Instruction, value: Value, pointer: Value) -> bool:
        """Returns whether a declared integer lies where a larger number may lie, and no pointer."""
        if i not in self._parts:
            type_, types = value.type, self._types
            self._parts[i] = (
                isinstance(type_, IntType)
                and types.declared.kind_of(i, type_) is Kind.INTEGER
                and not (there := types.contents(pointer, store_size(type_))).is_near_pointers
                and there.may_be_part_of_number
            )
        return self._parts[i]

    @cached_property
    def _is_anywhere(self) -> bool:
        return any(self._computes_bits(i) for i in self._types.instructions() if i.opcode == "load")

    def _computes_bits(self, load: Instruction) -> bool:
        computes = any(user.opcode in BIT_OPERATIONS for user in load.users)
        return computes and self._may_be_number(load, load, load.operands[0])

    def _may_be_number(self, i: Instruction, value: Value, pointer: Value) -> bool:
        """Returns whether a declared integer lies where a number of its size may lie, and no pointer."""
        if i not in self._found:
            type_, types = value.type, self._types
            self._found[i] = (
                isinstance(type_, IntType)
                and not isinstance(value, Constant)
                and types.declared.kind_of(i, type_) is Kind.INTEGER
                and (there := types.contents(pointer, store_size(type_))).holds_number
                and not there.is_mixed
            )
        return self._found[i]
