"""What a function only writes behind one of its pointer arguments: where nobody wants the contents, those writes can
be left out, and the pointer may be null."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir.instructions import CHOICES, SAME_VALUE
from ...ir.module import Module
from ...ir.values import Argument, Function, Instruction, Local, Value
from ..callees import CalleeKind, Callees

_DERIVED = SAME_VALUE | {"getelementptr"}
_WRITES = frozenset([CalleeKind.COPY, CalleeKind.FILL])


@dataclass(frozen=True)
class DeadWrites:
    """Pointers based on arguments whose contents nobody wants, and the instructions that do nothing but write there."""

    pointers: set[Value] = field(default_factory=set)
    writes: set[Instruction] = field(default_factory=set)


class WrittenOnly:
    """Answers for the functions of one module, also through calls."""

    def __init__(self, module: Module, callees: Callees) -> None:
        self.module = module
        self.callees = callees
        self._found: dict[Argument, DeadWrites | None] = {}

    def of(self, argument: Argument) -> DeadWrites | None:
        """None where the function may read what is behind the argument, compare it, or let it escape."""
        if argument not in self._found:
            self._found[argument] = DeadWrites()  # so that recursion ends
            found = self._walk(argument)
            if found is None:  # what was found meanwhile relied on it
                self._found = {a: None for a, other in self._found.items() if other is None}
            self._found[argument] = found
        return self._found[argument]

    def dead_writes(self, function: Function, indices: tuple[int, ...]) -> DeadWrites:
        """For several arguments, each of which is only written."""
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
        while work:
            pointer = work.pop()
            for user in pointer.users:
                if user.opcode in CHOICES or (user.opcode in _DERIVED and user.operands[0] is pointer):
                    if user not in found.pointers:
                        found.pointers.add(user)
                        work.append(user)
                elif self._writes(user, pointer):
                    found.writes.add(user)
                elif not self._passes_on(user, pointer):
                    return None
        return found if all(self._based_on(p, found.pointers) for p in found.pointers) else None

    def _based_on(self, pointer: Value, pointers: set[Value]) -> bool:
        """Whether a choice is among these pointers only."""
        if not isinstance(pointer, Instruction) or pointer.opcode not in CHOICES:
            return True
        return all(c in pointers for c in pointer.passed_operands)

    def _writes(self, user: Instruction, pointer: Value) -> bool:
        if user.opcode == "store":
            return user.operands[1] is pointer and user.operands[0] is not pointer and not user.flags
        if user.opcode != "call" or user.users:
            return False
        callee = self.callees.of(user)
        if callee.kind not in _WRITES or callee.known is None:
            return False
        target = callee.known.target if callee.kind is CalleeKind.COPY else 0
        return [k for k, a in enumerate(user.arguments) if a is pointer] == [target]

    def _passes_on(self, user: Instruction, pointer: Value) -> bool:
        """A call of a function that only writes, too."""
        if user.opcode != "call" or self.callees.of(user).kind is not CalleeKind.DEFINED:
            return False
        callee = self.module.body(self.callees.of(user).name)
        places = [k for k, a in enumerate(user.arguments) if a is pointer]
        return all(k < len(callee.arguments) and self.of(callee.arguments[k]) is not None for k in places)
