"""Dead writes: a function writes memory behind a pointer argument but never reads it, and nobody else does.

A derivative leaves such writes out, and the pointer may be null.
"""

from __future__ import annotations

from msgspec import Struct, field

from ...ir.instructions import CHOICES
from ...ir.module import Module
from ...ir.value_edges import PASSED, SAME_OBJECT
from ...ir.values import Argument, Function, Instruction, Local, Value
from ...rules.knowledge import CalleeKind
from ..callees import Callees

_WRITES = frozenset([CalleeKind.COPY, CalleeKind.FILL])


class DeadWrites(Struct, frozen=True):
    """The writes behind some arguments, which are dead if nobody needs what is written.

    - `pointers`: the arguments, and all pointers derived from them.
    - `writes`: the instructions that write there and have no other effect.
    """

    pointers: set[Value] = field(default_factory=set)
    writes: set[Instruction] = field(default_factory=set)


class DeadWriteAnalysis:
    """Finds the dead writes in the functions of one module; calls of defined functions are followed."""

    def __init__(self, module: Module, callees: Callees) -> None:
        self.module = module
        self.callees = callees
        self._found: dict[Argument, DeadWrites | None] = {}

    def of(self, argument: Argument) -> DeadWrites | None:
        """Returns the dead writes behind one argument if nobody needs its memory.

        Returns None if the function may read that memory, or compares the pointer, or lets it escape.
        """
        if argument not in self._found:
            self._found[argument] = DeadWrites()  # ends the recursion of recursive functions
            found = self._walk(argument)
            if found is None:  # answers found meanwhile relied on the assumption
                self._found = {a: None for a, other in self._found.items() if other is None}
            self._found[argument] = found
        return self._found[argument]

    def of_all(self, function: Function, indices: tuple[int, ...]) -> DeadWrites:
        """Returns the dead writes behind several arguments together."""
        whole = DeadWrites()
        for index in indices:
            found = self.of(function.arguments[index])
            if found is not None:
                whole.pointers.update(found.pointers)
                whole.writes.update(found.writes)
        return whole

    def _walk(self, argument: Argument) -> DeadWrites | None:
        found = DeadWrites({argument})
        work: list[Local] = [argument]
        while work:  # collects the writes too, and fails at any other use
            pointer = work.pop()
            for user in pointer.users:
                if user.opcode in CHOICES or (user.opcode in SAME_OBJECT and user.operands[0] is pointer):
                    if user not in found.pointers:
                        found.pointers.add(user)
                        work.append(user)
                elif self._writes(user, pointer):
                    found.writes.add(user)
                elif not self._passes_on(user, pointer):
                    return None
        return found if all(self._based_on(p, found.pointers) for p in found.pointers) else None

    def _based_on(self, pointer: Value, pointers: set[Value]) -> bool:
        """True unless the pointer is a choice (phi, select) with an operand that is none of the pointers."""
        if not isinstance(pointer, Instruction) or pointer.opcode not in CHOICES:
            return True
        return all(c in pointers for c in PASSED.operands(pointer))

    def _writes(self, user: Instruction, pointer: Value) -> bool:
        if user.opcode == "store":
            return user.operands[1] is pointer and user.operands[0] is not pointer and not user.flags
        if user.opcode == "atomicrmw":
            return user.operands[0] is pointer and user.operands[1] is not pointer and not user.users
        if user.opcode != "call" or user.users:
            return False
        callee = self.callees.of(user)
        if callee.kind not in _WRITES or callee.known is None:
            return False
        target = callee.known.target if callee.kind is CalleeKind.COPY else 0
        return [k for k, a in enumerate(user.arguments) if a is pointer] == [target]

    def _passes_on(self, user: Instruction, pointer: Value) -> bool:
        """True for a call of a defined function that only writes there as well."""
        if user.opcode != "call" or self.callees.of(user).kind is not CalleeKind.DEFINED:
            return False
        if self.callees.of(user).name in self.callees.declared.preserving:
            return False
        callee = self.module.body(self.callees.of(user).name)
        places = [k for k, a in enumerate(user.arguments) if a is pointer]
        return all(k < len(callee.arguments) and self.of(callee.arguments[k]) is not None for k in places)
