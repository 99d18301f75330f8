"""Adjoints in the reverse sweep: each active value has a slot on the stack, to which its uses add.

The handlers of adjoints are given a ReverseValues (reverse_values.py), which extends this.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.builder import Builder
from ...ir.folding import zero
from ...ir.leaves import float_leaves
from ...ir.types import I8, ArrayType, Type, alignment
from ...ir.values import Argument, Block, Instruction, Value
from ..emit.frame import Frame
from .adjoint_homes import AdjointHomes


class AdjointSlots:
    """The blocks of the reverse sweep in one derivative function, and the adjoints that live in them."""

    def __init__(self, frame: Frame, rehearse: bool) -> None:
        self.frame = frame
        self.analyses = frame.analyses
        self.round = frame.round
        self.activity = frame.analyses.activity
        self.reversal = frame.analyses.reversal
        self.rehearse = rehearse
        self.direction = 0  # the direction of vector mode that adjoints and shadows belong to
        self.b = frame.prologue
        self._blocks: dict[Block, Block] = {}
        self._adjoints: dict[tuple[Value, int], tuple[Value, Type]] = {}
        self._homes = AdjointHomes(self.analyses.flow, self.reversal)
        self._scratch: Value | None = None
        self.end = frame.target.add_block()

    # -- blocks and directions

    def block(self, original: Block) -> Block:
        """Returns the reverse of a primal block."""
        if original not in self._blocks:
            self._blocks[original] = self.frame.target.add_block()
        return self._blocks[original]

    def directions(self) -> Iterator[int]:
        """Makes each direction the current one."""
        for direction in range(self.analyses.signature.directions):
            self.direction = direction
            yield direction
        self.direction = 0

    # -- adjoints

    def _adjoint_slot(self, value: Value) -> tuple[Value, Type]:
        key = value, self.direction
        if key not in self._adjoints:
            type_ = self.activity.carriers.adjoint_type(value)
            assert type_ is not None, value
            slot = self.frame.prologue.alloca(type_, align=max(8, alignment(type_)))
            self._begin_as_zero(value, type_, slot)
            self._adjoints[key] = slot, type_
        return self._adjoints[key]

    def _begin_as_zero(self, value: Value, type_: Type, slot: Value) -> None:
        home = None if self.rehearse else self._homes.of(value)
        if home is None:
            self.frame.prologue.store(zero(type_), slot)
            return
        Builder.first(self.block(home)).store(zero(type_), slot)

    def adjoint(self, value: Value) -> Value:
        slot, type_ = self._adjoint_slot(value)
        return self.b.load(type_, slot)

    def take(self, value: Value) -> Value:
        """Returns the adjoint of a value at its definition, and zeroes the slot for the previous execution."""
        slot, type_ = self._adjoint_slot(value)
        adjoint = self.b.load(type_, slot)
        self.b.store(zero(type_), slot)
        return adjoint

    def add(self, value: Value, contribution: Value) -> None:
        """Adds a contribution of the adjoint's type to the adjoint of a value, if the value is active."""
        if not self.activity.active(value):
            return
        for indices, leaf, offset in float_leaves(contribution.type):
            part = self.b.extract_value(contribution, *indices) if indices else contribution
            self.add_part(value, offset, leaf, part)

    def add_part(self, value: Value, offset: int, leaf: Type, contribution: Value) -> None:
        """Adds a contribution to the number at a byte offset in the adjoint of a value."""
        slot, type_ = self._adjoint_slot(value)
        if not any(at == offset and own == leaf for _, own, at in float_leaves(type_)):
            raise self.analyses.refusal_of_value(value)
        place = self.b.offset(slot, offset)
        align = min(8, alignment(leaf), offset & -offset or 8)
        self.b.store(self.b.fadd(self.b.load(leaf, place, align), contribution), place, align)

    def out_adjoint(self, argument: Argument) -> Value:
        """Returns the adjoint of an OUT argument."""
        if not self.activity.active(argument):
            return zero(self.activity.carriers.adjoint_type(argument) or argument.type)
        return self.adjoint(argument)

    def scratch(self) -> Value:
        """Returns memory that takes the adjoints of constant memory."""
        if self._scratch is None:
            self._scratch = self.frame.prologue.alloca(ArrayType(I8, 64), align=16)
        return self._scratch

    def converted(self, i: Instruction, adjoint: Value, type_: Type) -> Value:
        """Returns the adjoint in another type with the same numbers at the same offsets.

        Raises EnzymeError if there are others.
        """
        if adjoint.type == type_:
            return adjoint
        places = {(offset, leaf): indices for indices, leaf, offset in float_leaves(type_)}
        out: Value = zero(type_)
        for indices, leaf, offset in float_leaves(adjoint.type):
            if (offset, leaf) not in places:
                raise self.analyses.refusal_of_value(i)
            part = self.b.extract_value(adjoint, *indices) if indices else adjoint
            target = places[offset, leaf]
            out = self.b.insert_value(out, part, *target) if target else part
        return out

    def is_active(self, value: Value) -> bool:
        return self.activity.active(value)
