"""The objects that each pointer of a function may point into, with offsets, and the objects whose addresses escape."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from ...ir.cfg import ControlFlow
from ...ir.constants import ConstantExpr, ConstantWord, GlobalRef
from ...ir.instructions import CHOICES, COMPARISONS, SAME_VALUE
from ...ir.module import Module
from ...ir.types import PointerType
from ...ir.value_edges import MEASURES, PASSED, SAME_OBJECT
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.knowledge import CalleeKind
from ...rules.library_functions import known
from ..callees import plain_name, strip_casts
from ..integers.offsets import Offset, either, moved, offset_of

#: a pointer with more possible objects than this may point anywhere
_MANY = 24


class ObjectKind(enum.Enum):
    """Where the memory comes from."""

    ARGUMENT = "argument"
    STACK = "local variable"
    HEAP = "heap block"
    GLOBAL = "global variable"
    LOADED = "pointer in memory"
    RESULT = "result of a call"
    CONSTANT_NULL = "null"
    UNKNOWN = "unknown pointer"


class Object(Struct, frozen=True):
    """Memory that a pointer may be based on. `value` is the argument, alloca, call, load or global that gives it.

    `noalias`: no other pointer of the function reaches the argument's memory. `constant`: the global is never written.
    """

    kind: ObjectKind
    value: Value | None = None
    noalias: bool = False
    constant: bool = False

    @property
    def is_identified(self) -> bool:
        """True for objects that are distinct from each other."""
        return self.kind in (ObjectKind.STACK, ObjectKind.HEAP, ObjectKind.GLOBAL)

    @property
    def is_foreign(self) -> bool:
        """True for memory of unknown origin: it may be any object that escapes."""
        return self.kind in (ObjectKind.LOADED, ObjectKind.RESULT, ObjectKind.UNKNOWN)


NULL = Object(ObjectKind.CONSTANT_NULL)
ANYWHERE = Object(ObjectKind.UNKNOWN)
#: objects with the offset of the pointer in each
Places = Mapping[Object, Offset]


class Objects:
    """The places of all pointers of a function, from passes in control-flow order that end when no phi changes."""

    def __init__(self, module: Module, function: Function, flow: ControlFlow) -> None:
        self._module = module
        self._globals: dict[str, Object] = {}
        self.places: dict[Value, Places] = {}
        for argument in function.arguments:
            if isinstance(argument.type, PointerType):
                noalias = re.search(r"\bnoalias\b|\bbyval\(", argument.attributes) is not None
                self.places[argument] = {Object(ObjectKind.ARGUMENT, argument, noalias): 0}
        pointers = [i for block in flow.order for i in block.instructions if isinstance(i.type, PointerType)]
        joins = self._visit(pointers)
        while joins:
            changed = [i for i in joins if self._join(i)]
            joins = self._visit(pointers) if changed else []

    def _visit(self, pointers: list[Instruction]) -> list[Instruction]:
        """Computes all places. Returns the phis and selects."""
        joins = []
        for i in pointers:
            if i.opcode in CHOICES:
                joins.append(i)
                self._join(i)
            else:
                self.places[i] = self._of_instruction(i)
        return joins

    def _join(self, i: Instruction) -> bool:
        """Adds the places that the operands have by now. Returns True if that changed anything."""
        joined: dict[Object, Offset] = dict(self.places.get(i, {}))
        before = dict(joined)
        for operand in PASSED.operands(i):
            known_yet = not isinstance(operand, Instruction) or operand in self.places
            for found, offset in self.of(operand).items() if known_yet else ():
                joined[found] = either(joined[found], offset) if found in joined else offset
        if len(joined) > _MANY:
            joined = {ANYWHERE: None}
        self.places[i] = joined
        return joined != before

    def of(self, pointer: Value) -> Places:
        """Returns the objects that the pointer may point into, with the offset in each."""
        if isinstance(pointer, Instruction | Argument):
            return self.places.get(pointer, {ANYWHERE: None})
        return self._of_constant(pointer)

    def _of_constant(self, pointer: Value) -> Places:
        if isinstance(pointer, GlobalRef):
            return {self._global(pointer): 0}
        if isinstance(pointer, ConstantWord):
            return {NULL: 0}
        if isinstance(pointer, ConstantExpr):
            if pointer.opcode == "getelementptr" and pointer.source is not None:
                return _shifted(self._of_constant(pointer.operands[0]), offset_of(pointer.source, pointer.operands[1:]))
            if pointer.opcode in SAME_VALUE:
                return self._of_constant(pointer.operands[0])
        return {ANYWHERE: None}

    def _global(self, pointer: GlobalRef) -> Object:
        found = self._globals.get(pointer.name)
        if found is None:
            target = strip_casts(pointer, self._module)
            name = target.name if isinstance(target, GlobalRef) else pointer.name
            variable = self._module.globals.get(name)
            constant = variable.constant if variable is not None else name in self._module.functions
            found = self._globals[pointer.name] = Object(ObjectKind.GLOBAL, GlobalRef.of(name), False, constant)
        return found

    def _of_instruction(self, i: Instruction) -> Places:
        if i.opcode == "getelementptr":
            return _shifted(self.of(i.operands[0]), offset_of(i.source_type, i.operands[1:]))
        if i.opcode in SAME_VALUE:
            return self.of(i.operands[0])
        if i.opcode == "alloca":
            return {Object(ObjectKind.STACK, i): 0}
        if i.opcode == "load":
            return {Object(ObjectKind.LOADED, i): 0}
        if i.is_call:
            return self._of_call(i)
        return {Object(ObjectKind.UNKNOWN, i): 0}

    def _of_call(self, i: Instruction) -> Places:
        target = strip_casts(i.callee, self._module)
        row = None
        if isinstance(target, GlobalRef) and is_library(self._module, target.name):
            row = known(plain_name(target.name))
        if row is not None and row.kind is CalleeKind.ALLOCATE and row.through is None:
            return {Object(ObjectKind.HEAP, i): 0}
        if row is not None and row.result is not None:
            return dict.fromkeys(self.of(i.arguments[row.result]))
        if row is not None and row.kind is CalleeKind.REALLOCATE:
            return {Object(ObjectKind.HEAP, i): 0, **self.of(i.arguments[row.pointer])}
        returned = next((k for k, a in enumerate(i.call.argument_attributes) if "returned" in a.split()), None)
        if returned is not None:
            return self.of(i.arguments[returned])
        noalias = "noalias" in i.call.result_attributes.split()
        return {Object(ObjectKind.HEAP if noalias else ObjectKind.RESULT, i): 0}


def is_library(module: Module, name: str) -> bool:
    """True if the module has no body of the function."""
    return name not in module.functions or module.functions[name].is_declaration


def _shifted(places: Places, by: Offset) -> Places:
    return places if by == 0 else {found: moved(at, by) for found, at in places.items()}


# ------------------------------------------------------------------------------------------------------------- escape

#: keeps(call, argument index): True if the call may keep the pointer beyond its return
Keeps = Callable[[Instruction, int], bool]
_HARMLESS_USERS = SAME_OBJECT | {"load"} | COMPARISONS


def escaping_objects(
    objects: Objects, keeps: Keeps, is_wanted: Callable[[Object], bool] = lambda o: True
) -> frozenset[Object]:
    """Returns the objects whose address is stored, returned, made an integer, or passed to a call that may keep it.

    `is_wanted`: whether an object is asked about. What calls keep takes long: their functions are looked through.
    """
    out: set[Object] = set()
    pointers: list[Value] = [*objects.places]
    for pointer in pointers:
        if not isinstance(pointer, Instruction | Argument):
            continue
        open_ = [o for o in objects.of(pointer) if o not in out and is_wanted(o)]
        if open_ and any(_lets_escape(pointer, user, keeps) for user in pointer.users):
            out.update(open_)
    return frozenset(out)


def _lets_escape(pointer: Value, user: Instruction, keeps: Keeps) -> bool:
    if user.opcode in _HARMLESS_USERS:
        return False
    if user.opcode == "store":
        return user.operands[0] is pointer
    if user.opcode == "atomicrmw":
        return user.operands[1] is pointer
    if user.opcode == "cmpxchg":
        return any(o is pointer for o in user.operands[1:])
    if user.is_call:
        return any(a is pointer and keeps(user, k) for k, a in enumerate(user.arguments)) or any(
            o is pointer for o in user.operands[len(user.arguments) : -1]
        )
    if user.opcode == "ptrtoint":
        return any(u.opcode not in MEASURES for u in user.users)
    return True


__all__ = ["ANYWHERE", "NULL", "Object", "ObjectKind", "Objects", "Places", "escaping_objects", "is_library"]
