"""What a function does with one of its own variables or heap blocks, as far as its code shows all of it."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ...analysis.callees import plain_name
from ...ir.constants import ConstantInt, GlobalRef
from ...ir.folding import is_zero
from ...ir.indices import address_terms
from ...ir.instructions import COMPARISONS
from ...ir.module import Module
from ...ir.types import ArrayType, FloatType, Type, alloc_size
from ...ir.value_edges import MOVED_POINTER
from ...ir.values import Instruction, Value
from ...rules.knowledge import CalleeKind, Known
from ...rules.library_functions import known

_HARMLESS = ("llvm.lifetime.", "llvm.objectsize", "llvm.assume", "llvm.dbg", "free", "_ZdlPv", "_ZdaPv")
_FILLS = ("llvm.memset.", "memset")
_REQUEST = "__enzyme_"


class OwnMemory(Struct, frozen=True, eq=False, dict=True):
    """A variable or heap block of a function, or a global variable, and a pointer into it.

    `offset`: the bytes from its begin to the pointer; None if they are not constant.
    """

    module: Module
    base: Value
    offset: int | None

    @staticmethod
    def of(module: Module, pointer: Value) -> OwnMemory | None:
        """Returns the memory behind a pointer; None if it is no such memory, or cannot be told."""
        offset: int | None = 0
        while isinstance(pointer, Instruction) and MOVED_POINTER.operands(pointer):
            if pointer.opcode == "getelementptr":
                constant, variable = address_terms(pointer.source_type, pointer.operands[1:])
                offset = None if variable or offset is None else offset + constant
            pointer = pointer.operands[0]
        is_local = isinstance(pointer, Instruction) and (pointer.opcode == "alloca" or _allocation(pointer) is not None)
        return OwnMemory(module, pointer, offset) if is_local or isinstance(pointer, GlobalRef) else None

    @property
    def is_local(self) -> bool:
        return not isinstance(self.base, GlobalRef)

    @property
    def size(self) -> int | None:
        """The bytes behind the pointer; None if they are not constant."""
        whole = self._size
        return None if whole is None or self.offset is None else whole - self.offset

    @property
    def declared_size(self) -> int | None:
        """The bytes behind a pointer into a global variable, also one that native code defines; else None."""
        variable = self.module.globals.get(self.base.name) if isinstance(self.base, GlobalRef) else None
        size = alloc_size(variable.value_type) if variable is not None else 0
        return size - self.offset if size and self.offset is not None else None

    @property
    def _size(self) -> int | None:
        if isinstance(self.base, GlobalRef):
            variable = self.module.globals.get(self.base.name)
            is_known = variable is not None and not variable.external
            return alloc_size(variable.value_type) if variable is not None and is_known else None
        assert isinstance(self.base, Instruction)
        found = _allocation(self.base)
        counts = [self.base.arguments[k] for k in found.size_operands] if found else self.base.operands
        size = 1 if found else alloc_size(self.base.memory.accessed or self.base.type)
        for count in counts:
            if not isinstance(count, ConstantInt):
                return None
            size *= count.value
        return size if found is None or counts else None

    @property
    def number(self) -> FloatType | None:
        """The type of its numbers, if it is declared as an array of numbers."""
        type_: Type | None = None
        if isinstance(self.base, Instruction) and self.base.opcode == "alloca":
            type_ = self.base.memory.accessed
        elif isinstance(self.base, GlobalRef) and self.base.name in self.module.globals:
            type_ = self.module.globals[self.base.name].value_type
        while isinstance(type_, ArrayType):
            type_ = type_.element
        return type_ if isinstance(type_, FloatType) else None

    @cached_property
    def uses(self) -> frozenset[str]:
        """What happens to it: "fill" with zeros, "write", "escape". Requests, reads and its release are not told."""
        found, work = set[str](), [self.base]
        if isinstance(self.base, Instruction) and (allocation := _allocation(self.base)) is not None:
            found |= {"fill"} if allocation.zeroed else set()
        while work:
            value = work.pop()
            for user in value.users if isinstance(value, Instruction) else ():
                if value in MOVED_POINTER.operands(user):
                    work.append(user)
                else:
                    found |= _use(user, value)
        return frozenset(found)

    @property
    def is_never_written(self) -> bool:
        return self.is_local and not self.uses

    @property
    def is_only_zero(self) -> bool:
        return self.is_local and self.uses == {"fill"}


def _allocation(i: Instruction) -> Known | None:
    found = known(plain_name(i.callee_name)) if i.callee_name else None
    return found if found is not None and found.kind is CalleeKind.ALLOCATE else None


def _use(user: Instruction, value: Value) -> set[str]:
    if user.opcode == "load" or user.opcode in COMPARISONS:
        return set()
    if user.opcode == "store":
        stored, pointer = user.operands
        return {"escape"} if pointer is not value else {"fill"} if is_zero(stored) else {"write"}
    name = plain_name(str(user.callee)) if user.is_call and isinstance(user.callee, GlobalRef) else ""
    if _REQUEST in name or name.startswith(_HARMLESS):
        return set()
    if name.startswith(_FILLS) and user.arguments[0] is value:
        return {"fill"} if is_zero(user.arguments[1]) else {"write"}
    return {"escape"}
