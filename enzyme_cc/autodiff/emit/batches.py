"""The reverse of a loop in batches of iterations (analysis/storage/batched_loops.py).

for (begin = 0; begin <= last; begin = end) {
    end = min(begin + 64, last + 1);
    for (i = begin; i < end; i++) { …; buffer[i - begin] = number; }    // the reverse of the loop's block
    for (k = 0; k < end - begin; k++) shadow[begin + k] += buffer[k];   // one such loop for each load
}
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from ...ir.builder import Builder
from ...ir.folding import int_constant
from ...ir.types import I64, ArrayType, store_size
from ...ir.values import Block, Function, Instruction, Value
from ..core.alias_scopes import Metadata

#: iterations of a batch: the buffers of some ten loads fit into the first cache
_LENGTH = 64


class _Row(NamedTuple):
    """What a load adds: its buffer, and its place in the shadow in the current iteration."""

    buffer: Value
    place: Value
    number: Value
    align: int | None
    metadata: Metadata


class Batch:
    """One loop. `head` begins a batch; `body` is the reverse of the loop's block, and `iteration` its slot.

    `loads`: what they add waits.
    """

    def __init__(
        self, function: Function, prologue: Builder, body: Block, iteration: Value, loads: Container[Instruction]
    ) -> None:
        self.head, self.loads = function.add_block(), loads
        self._function, self._prologue, self._body, self._iteration = function, prologue, body, iteration
        self._begin, self._end, self._last = (prologue.alloca(I64) for _ in range(3))
        self._rows: list[_Row] = []
        b = Builder(self.head)
        begin = b.load(I64, self._iteration)
        b.store(begin, self._begin)
        last = b.load(I64, self._last)
        rest = b.add(b.sub(last, begin), int_constant(1))
        is_short = b.icmp("ult", rest, int_constant(_LENGTH))
        b.store(b.add(begin, b.select(is_short, rest, int_constant(_LENGTH))), self._end)
        b.br(body)

    def enter(self, b: Builder, last: Value) -> None:
        """Begins with the first iteration. `last`: the number of the last one."""
        b.store(last, self._last)
        b.store(int_constant(0), self._iteration)

    def keep(self, b: Builder, place: Value, number: Value, align: int | None, metadata: Metadata) -> None:
        """Keeps a number of the current iteration, which is added at the place when the batch ends."""
        buffer = self._prologue.alloca(ArrayType(number.type, _LENGTH), align=64)
        at = b.sub(b.load(I64, self._iteration), b.load(I64, self._begin))
        b.store(number, b.gep(number.type, buffer, (at,)))
        self._rows.append(_Row(buffer, place, number, align, metadata))

    def leave(self, b: Builder) -> Builder:
        """Ends the reverse of the loop's block. Returns the builder of the place where the loop is left."""
        following = b.add(b.load(I64, self._iteration), int_constant(1))
        b.store(following, self._iteration)
        added, beyond = self._function.add_block(), self._function.add_block()
        b.cond_br(b.icmp("ne", following, b.load(I64, self._end)), self._body, added)
        b = Builder(added, b.fast)
        count = b.sub(following, b.load(I64, self._begin))
        for row in self._rows:
            b = self._add(b, row, count)
        b.cond_br(b.icmp("ugt", following, b.load(I64, self._last)), beyond, self.head)
        return b.at(beyond)

    def _add(self, b: Builder, row: _Row, count: Value) -> Builder:
        type_ = row.number.type
        before = b.mul(b.sub(int_constant(1), count), int_constant(store_size(type_)))
        first = b.offset(row.place, before, ())
        loop, after = self._function.add_block(), self._function.add_block()
        entering = b.block
        b.br(loop)
        b = b.at(loop)
        at = b.phi(I64, [(int_constant(0), entering)])
        place = b.gep(type_, first, (at,))
        old = b.load(type_, place, row.align)
        new = b.fadd(old, b.load(type_, b.gep(type_, row.buffer, (at,))))
        store = b.store(new, place, row.align)
        old.metadata = store.metadata = row.metadata
        following = b.add(at, int_constant(1), ("nuw", "nsw"))
        at.append_operand(following)
        at.append_operand(loop)
        b.cond_br(b.icmp("eq", following, count), after, loop)
        return b.at(after)
