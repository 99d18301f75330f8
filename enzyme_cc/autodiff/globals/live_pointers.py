"""Which pointers in globals a request reads as it finds them.

A program may keep the address of a block that it has freed, and store another one before it reads the pointer again.
Nobody can ask such an address for the size of its block.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from ...analysis.integers.offsets import offset_in_global
from ...ir.cfg import reverse_postorder
from ...ir.constants import Constant, GlobalRef, references
from ...ir.instructions import ACCESSES
from ...ir.types import store_size
from ...ir.values import Block, Instruction
from ..core.pointers import POINTER_BYTES, GlobalPointer
from ..core.round import PreparedRound
from .global_users import named_globals


class _Summary(Struct):
    """`read`: pointers that a function may read before it stores them. `stored`: those that it has surely stored."""

    read: set[GlobalPointer] = field(default_factory=set)
    stored: frozenset[GlobalPointer] = frozenset()


class LivePointers:
    """Finds the pointers among `words` that functions may read before they store them."""

    def __init__(self, round: PreparedRound, words: Iterable[GlobalPointer]) -> None:
        self._round = round
        self._words: dict[str, list[GlobalPointer]] = {}
        for word in words:
            self._words.setdefault(word.name, []).append(word)
        self._summaries: dict[str, _Summary] = {}

    def of(self, roots: Iterable[str]) -> set[GlobalPointer]:
        return {word for name in roots for word in self._summary(name).read}

    def _summary(self, name: str) -> _Summary:
        known = self._summaries.get(name)
        if known is None:
            reached = self._round.globals_of.get(name, frozenset())
            own = {word for other, words in self._words.items() if other in reached for word in words}
            self._summaries[name] = _Summary(own)  # of a function that calls itself: all may be read, none is stored
            known = self._summaries[name] = self._summarise(name) if own else _Summary()
        return known

    def _summarise(self, name: str) -> _Summary:
        found = _Summary()
        body = self._round.source.body(name)
        after: dict[Block, frozenset[GlobalPointer]] = {}
        order, changed = reverse_postorder(body.entry), True
        while changed:
            changed = False
            for block in order:
                before = [after[p] for p in block.predecessors if p in after]
                stored = frozenset.intersection(*before) if before else frozenset[GlobalPointer]()
                for i in block.instructions:
                    stored = self._after(i, stored, found)
                changed |= after.get(block) != stored
                after[block] = stored
        at_end = [after[block] for block in order if block.terminator.opcode == "ret"]
        found.stored = frozenset.intersection(*at_end) if at_end else frozenset()
        return found

    def _after(self, i: Instruction, stored: frozenset[GlobalPointer], found: _Summary) -> frozenset[GlobalPointer]:
        """Returns what is surely stored behind an instruction; adds to `found` what it may read."""
        named = named_globals(i)
        for name in named & self._words.keys():
            words = self._words[name]
            met = [word for word in words if word.offset in touched] if (touched := _touched(i)) is not None else words
            if i.opcode == "store" and touched is not None and len(touched) == POINTER_BYTES:
                stored = stored.union(word for word in met if word.offset == touched.start)
            found.read.update(word for word in met if word not in stored)
        callee = str(i.callee) if i.opcode == "call" else ""
        for name in named - {callee}:  # a function that somebody may call
            reached = self._round.globals_of.get(name, frozenset())
            found.read.update(
                word for n in reached & self._words.keys() for word in self._words[n] if word not in stored
            )
        if self._round.callees.has_body(callee):
            summary = self._summary(callee)
            found.read.update(summary.read - stored)
            return stored | summary.stored
        if callee and not isinstance(i.callee, GlobalRef):
            found.read.update(word for words in self._words.values() for word in words if word not in stored)
        return stored


def _touched(i: Instruction) -> range | None:
    """Returns the bytes of the global that a load or a store accesses; None if they are not known."""
    if i.opcode not in ACCESSES:
        return None
    place, value = i.operands[-1], i if i.opcode == "load" else i.operands[0]
    if isinstance(value, Constant) and any(True for _ in references(value)):
        return None
    offset = offset_in_global(place)
    return range(offset, offset + store_size(value.type)) if isinstance(offset, int) else None
