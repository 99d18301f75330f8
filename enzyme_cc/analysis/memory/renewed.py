"""Local memory that is other memory each time a loop gets to where it is allocated.

A derivative keeps what the program frees or leaves until the reverse sweep has ended. So a later iteration writes other
memory, if the loop allocates in between.
"""

from __future__ import annotations

from ...ir.cfg import ControlFlow
from ...ir.graphs import reachable
from ...ir.module import Module
from ...ir.values import Block, Instruction
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import known
from ..callees import plain_name
from .objects import Object, ObjectKind, Objects, is_library
from .writes import Group


class RenewedMemory:
    """Answers about the blocks and local variables of one function."""

    def __init__(self, module: Module, flow: ControlFlow, objects: Objects) -> None:
        self._module = module
        self._flow = flow
        self._objects = objects
        self._carried: set[Object] | None = None
        self._before: dict[tuple[Instruction, Block], set[Block]] = {}

    def holds(self, found: Object) -> bool:
        """True if all accesses of the object are of what was allocated last. It must not escape."""
        allocation = found.value
        if not isinstance(allocation, Instruction) or self._flow.loop_of.get(_block(allocation)) is None:
            return False
        if found.kind is not ObjectKind.STACK and not (found.kind is ObjectKind.HEAP and self._is_plain(allocation)):
            return False
        if self._carried is None:
            self._carried = self._carried_on()
        return found not in self._carried

    def written(self, found: Object, group: Group, after: Instruction, position: int) -> Instruction | None:
        """Returns a write of the group that can run after an instruction and before the object is allocated again."""
        allocation, block, number = found.value, _block(after), self._flow.number
        assert isinstance(allocation, Instruction)
        own = _block(allocation)
        start = own.instructions.index(allocation)
        if block is own and position < start:
            return group.after(number[block], position, -1)
        last = group.last.get(number[block])
        if last is not None and last.position > position:
            return last.instruction
        reached = self._reached(allocation, block)
        for write in group.all():
            written_in = self._flow.order[write.block]
            if written_in in reached and (written_in is not own or write.position < start):
                return write.instruction
        return None

    def _reached(self, allocation: Instruction, block: Block) -> set[Block]:
        """Returns the blocks that can begin after a block has ended and before the next allocation."""
        key, own = (allocation, block), _block(allocation)
        if key not in self._before:
            self._before[key] = set(reachable(list(block.successors), lambda b: [] if b is own else b.successors))
        return self._before[key]

    def _is_plain(self, allocation: Instruction) -> bool:
        """True for a library's function whose blocks stay until the reverse sweep has ended, also if they are freed."""
        name = allocation.callee_name
        row = known(plain_name(name)) if name and is_library(self._module, name) else None
        return row is not None and row.kind is CalleeKind.ALLOCATE and row.through is None and not row.arena

    def _carried_on(self) -> set[Object]:
        """Returns the objects of which a pointer goes around a loop that allocates them again."""
        out: set[Object] = set()
        for pointer in self._objects.places:
            if isinstance(pointer, Instruction) and pointer.opcode == "phi":
                for value, origin in pointer.incoming:
                    if self._goes_back(origin, _block(pointer)):
                        out.update(o for o in self._objects.of(value) if self._is_inside(o, _block(pointer)))
        return out

    def _goes_back(self, origin: Block, to: Block) -> bool:
        return origin in self._flow.number and self._flow.number[origin] >= self._flow.number[to]

    def _is_inside(self, found: Object, header: Block) -> bool:
        """True if a loop with this header allocates the object, or if no loop has it."""
        loop = self._flow.loop_of[header]
        if loop is None or loop.header is not header:
            return True
        return isinstance(found.value, Instruction) and _block(found.value) in loop.blocks


def _block(i: Instruction) -> Block:
    assert i.block is not None
    return i.block
