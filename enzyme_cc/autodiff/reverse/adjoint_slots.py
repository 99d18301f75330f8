"""Adjoints in the reverse sweep: each active value has a slot on the stack, to which its uses add.

The reverse of one block has no branches. There the adjoint of a number is a register, which its slot gives at the
first use, and gets at the end of the block. A value that only its own block uses needs no slot.

The handlers of adjoints are given a ReverseValues (reverse_values.py), which extends this.
"""

from __future__ import annotations

from ...ir.builder import Builder
from ...ir.folding import int_constant, zero
from ...ir.leaves import float_leaves
from ...ir.types import I8, ArrayType, Type, alignment
from ...ir.values import Argument, Block, Instruction, Value
from ..emit.frame import Frame
from ..emit.shadow_access.shadow_access import ShadowAccess
from ..emit.shadow_memory import clear
from ..emit.sweep import SCRATCH_BYTES, Sweep
from .adjoint_homes import AdjointHomes


class AdjointSlots(Sweep):
    """The blocks of the reverse sweep in one derivative function, and the adjoints that live in them."""

    def __init__(self, frame: Frame, rehearse: bool) -> None:
        super().__init__(frame.analyses, frame.prologue)
        self.is_alone, self.is_plain = frame.is_alone, frame.is_plain
        self.memory = ShadowAccess(self)
        self.frame = frame
        self.reversal = frame.analyses.reversal
        self.rehearse = rehearse
        self._blocks: dict[Block, Block] = {}
        self._adjoints: dict[tuple[Value, int], tuple[Value, Type]] = {}
        self._sums: dict[tuple[Value, int], Value] = {}  # adjoints in the current block, which slots do not hold yet
        self._in_blocks: dict[Value, bool] = {}
        self._begins_anew: dict[Value, bool] = {}  # for values with slots: what was there before does not matter
        self._homes = AdjointHomes(self.analyses.flow, self.reversal)
        self._scratch: Value | None = None
        self.end = frame.target.add_block()

    # -- blocks

    def block(self, original: Block) -> Block:
        """Returns the reverse of a primal block."""
        if original not in self._blocks:
            self._blocks[original] = self.frame.target.add_block()
        return self._blocks[original]

    # -- adjoints

    def _type(self, value: Value) -> Type:
        type_ = self.activity.carriers.adjoint_type(value)
        assert type_ is not None, value
        return type_

    def _needs_no_slot(self, value: Value) -> bool:
        """True if only the reverse of its own block uses the adjoint of a value, which is one number or vector."""
        if value not in self._in_blocks:
            self._in_blocks[value] = (
                isinstance(value, Instruction)
                and all(user.block is value.block and user.opcode != "phi" for user in value.users)
                and _is_number(self._type(value))
            )
        return self._in_blocks[value]

    def _adjoint_slot(self, value: Value) -> tuple[Value, Type]:
        key = value, self.direction
        if key not in self._adjoints:
            type_ = self._type(value)
            slot = self.frame.prologue.alloca(type_, align=max(8, alignment(type_)))
            self._adjoints[key] = slot, type_
            self._begin(value, type_, slot)
        return self._adjoints[key]

    def _begin(self, value: Value, type_: Type, slot: Value) -> None:
        """Stores zero where the adjoint begins, unless its one use sets it."""
        home = None if self.rehearse else self._homes.of(value)
        use = self._homes.use_that_follows(value) if _is_number(type_) else None
        is_set = use is not None and self.is_active(use)
        self._begins_anew[value] = is_set or home is not None
        if not is_set:
            b = self.frame.prologue if home is None else Builder.first(self.block(home))
            b.store(zero(type_), slot)

    def adjoint(self, value: Value) -> Value:
        """Returns the adjoint of a value to which this block adds nothing."""
        slot, type_ = self._adjoint_slot(value)
        return self.b.load(type_, slot)

    def clear_adjoint(self, value: Value) -> None:
        """Makes the adjoint of a value zero."""
        slot, type_ = self._adjoint_slot(value)
        self.b.store(zero(type_), slot)

    def take(self, value: Value) -> Value:
        """Returns the adjoint of a value at its definition. Its slot is zero then, if the next use adds to it."""
        added = self._sums.pop((value, self.direction), None)
        if self._needs_no_slot(value):
            return zero(self._type(value)) if added is None else added
        slot, type_ = self._adjoint_slot(value)
        adjoint = self.b.load(type_, slot) if added is None else added
        if not self._begins_anew[value]:
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
        type_ = self._type(value)
        if not any(at == offset and own == leaf for _, own, at in float_leaves(type_)):
            raise self.analyses.refusal_of_value(value)
        if _is_number(type_):
            self._add_to_sum(value, contribution)
            return
        slot, _ = self._adjoint_slot(value)
        place = self.b.offset(slot, offset)
        align = min(8, alignment(leaf), offset & -offset or 8)
        self.b.store(self.b.fadd(self.b.load(leaf, place, align), contribution), place, align)

    def _add_to_sum(self, value: Value, contribution: Value) -> None:
        key = value, self.direction
        if key in self._sums:
            self._sums[key] = self.b.fadd(self._sums[key], contribution)
        elif self._needs_no_slot(value) or self._homes.has_one_use(value):
            self._sums[key] = contribution
        else:
            self._sums[key] = self.b.fadd(self.adjoint(value), contribution)

    def store_sums(self) -> None:
        """Stores the sums of the current block in the slots. The caller emits the end of the block then."""
        current = self.direction
        for (value, direction), sum_ in self._sums.items():
            self.direction = direction
            if not self._needs_no_slot(value):
                self.b.store(sum_, self._adjoint_slot(value)[0])
        self.direction = current
        self._sums = {}

    def out_adjoint(self, argument: Argument) -> Value:
        """Returns the adjoint of an OUT argument."""
        if not self.activity.active(argument):
            return zero(self.activity.carriers.adjoint_type(argument) or argument.type)
        return self.adjoint(argument)

    def scratch(self) -> Value:
        """Returns memory that takes the adjoints of constant memory."""
        if self._scratch is None:
            self._scratch = self.frame.prologue.alloca(ArrayType(I8, SCRATCH_BYTES), align=16)
            clear(self.frame.prologue, self._scratch, int_constant(SCRATCH_BYTES))  # sums of denormals are slow
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


def _is_number(type_: Type) -> bool:
    return [leaf for _, leaf, _ in float_leaves(type_)] == [type_]
