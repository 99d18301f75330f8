"""Finds rank and type of flang's array descriptors in the program's declarations, where stand-ins ask for them.

A descriptor holds rank and type as numbers, which are known at run time only. Without the rank, the addendum's offset
is unknown, and so are the types of all bytes behind the descriptor's head. Declarations tell more:

- the type of the variable that holds the descriptor, or that it is copied to,
- for descriptors in components, the tables of derived types.

The answer is an expectation. The stand-in compares it with the descriptor, and calls flang's library if it is wrong
(toolchain/stand_ins/fortran_derived.h).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from ...analysis.type_analysis.constraints.addresses import address_offset
from ...ir import llvm_passes
from ...ir.constants import Constant, ConstantAggregate, ConstantExpr, ConstantInt, ConstantWord, GlobalRef
from ...ir.folding import int_constant
from ...ir.instructions import CHOICES, FUNCTION_CALLS, GIVES_ADDRESS
from ...ir.module import Module
from ...ir.types import (
    I8,
    I32,
    I64,
    PTR,
    ArrayType,
    NamedStruct,
    StructType,
    Type,
    alloc_size,
    field_offsets,
    struct_fields,
)
from ...ir.value_edges import PASSED
from ...ir.values import Argument, Instruction, Value
from .derived_types import Component, DerivedTypes, tables
from .known_values import known_value

_ASKS = "@__ez_expected_"
_RANK, _ADDENDUM, _SURE = _ASKS + "rank", _ASKS + "addendum", _ASKS + "surely"
_ASSIGNMENT, _CODE = _ASKS + "assignment", _ASKS + "code"
_THROUGH_POINTER = re.compile(r"(?:call|invoke) [^@\n]*? %[\w.]+\(")
_MEMCPY = "@llvm.memcpy."
_HEAD = (PTR, I64, I32, I8, I8, I8, I8)
#: the field of a descriptor with the code of the elements' type, and that of derived types
_TYPE_CODE, _DERIVED = 4, 42
_LENGTHS = ArrayType(I64, 1)
_DIMENSION = ArrayType(I64, 3)
#: the maximal rank, with which descriptors of any rank are declared
_ANY_RANK = 15
#: the number of places that one search visits at most
_MANY = 200


class Descriptor(Struct, frozen=True):
    """What declarations say of a descriptor. `types` are the tables of derived types that it may name.

    `is_declared`: the type of the variable itself says it, so that rank and addendum are certain. `is_typed`: only
    tables in `types` are ever stored in the descriptor. `code`: of the type of the elements in the descriptor; -1 if it
    is not known.
    """

    rank: int
    has_addendum: bool
    types: frozenset[str] = frozenset()
    is_declared: bool = False
    is_typed: bool = False
    code: int = -1

    @property
    def addendum(self) -> int:
        """The offset of the addendum in bytes."""
        return 24 + 24 * self.rank


def with_expected(text: str) -> str:
    """Returns the module with an answer in the place of each question of a stand-in. Raises llvm_passes.LLVMError."""
    if _ASKS not in text:
        return text
    compiled = llvm_passes.parse(text)
    llvm_passes.run_passes(compiled, "always-inline", "globaldce")
    text = str(compiled)
    module = Module.parse(text)
    asking = [name for name, body in module.functions.texts() if body.startswith("define ") and _ASKS in body]
    declared = Declared(module, DerivedTypes(module, tables(text)))
    for name in asking:
        for i in list(module.body(name).instructions()):
            if i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name.startswith(_ASKS):
                i.replace_uses(declared.answer(i.callee.name, i.arguments))
                i.erase()
    return str(module)


class Declared(Struct, dict=True):
    """What declarations say of the descriptors that the pointers of a module point to.

    `owners`, `direct`, `indirect`: of the functions in `indexed`, each argument's function, the calls by the callee's
    name, and the calls through pointers.
    """

    module: Module
    types: DerivedTypes
    found: dict[Value, Descriptor | None] = field(default_factory=dict)
    calls: dict[str, list[Instruction]] = field(default_factory=dict)
    indexed: set[str] = field(default_factory=set)
    owners: dict[Argument, str] = field(default_factory=dict)
    direct: dict[str, list[Instruction]] = field(default_factory=dict)
    indirect: list[Instruction] = field(default_factory=list)

    def answer(self, question: str, arguments: Sequence[Value]) -> Constant:
        """Returns the constant that replaces a call of the question."""
        if question == _ASSIGNMENT:
            return int_constant(int(self.types.define_assignment), I32)
        expected = self.descriptor(*arguments)
        if question == _RANK:
            return int_constant(-1 if expected is None else expected.rank, I32)
        if question == _SURE:
            return int_constant(0 if expected is None else expected.is_declared + expected.is_typed, I32)
        if question == _ADDENDUM:
            return int_constant(-1 if expected is None else int(expected.has_addendum), I32)
        if question == _CODE:
            return int_constant(-1 if expected is None else _DERIVED if expected.types else expected.code, I32)
        types = expected.types if expected is not None else frozenset()
        if len(types) != 1 or any(map(self.types.is_extended, types)):
            return ConstantWord(PTR, "null")
        return GlobalRef.of(*types)

    def descriptor(self, pointer: Value) -> Descriptor | None:
        """Returns the descriptor that the pointer points to, if declarations tell."""
        pointer = known_value(self.module, pointer)
        if pointer not in self.found:
            self.found[pointer] = _Walk(self).at(pointer, 0, None)
        return self.found[pointer]

    def function_of(self, argument: Argument) -> str | None:
        """Returns the name of the function that has the argument."""
        self._index()
        return self.owners.get(argument)

    def calls_of(self, function: str) -> list[Instruction]:
        """Returns the calls of a function, by its name; if there are none, those that may reach it through pointers.

        Type-bound procedures are called so.
        """
        if function not in self.calls:
            mention = function + "("
            self._parse(lambda body: mention in body)
            type_ = self.module.functions[function].type
            through_pointers = (i for i in self._through_pointers if i.call.function_type == type_)
            self.calls[function] = self.direct.get(function) or list(through_pointers)
        return self.calls[function]

    @cached_property
    def _through_pointers(self) -> list[Instruction]:
        self._parse(lambda body: _THROUGH_POINTER.search(body) is not None)
        return self.indirect

    def _parse(self, is_needed: Callable[[str], bool]) -> None:
        for name in [name for name, body in self.module.functions.texts() if is_needed(body)]:
            self.module.body(name)
        self._index()

    def _index(self) -> None:
        """Enters the arguments and calls of the functions that were parsed since."""
        for body in self.module.functions.parsed():
            if body.name in self.indexed:
                continue
            self.indexed.add(body.name)
            self.owners.update(dict.fromkeys(body.arguments, body.name))
            for i in body.instructions():
                if i.opcode in FUNCTION_CALLS and isinstance(i.callee, GlobalRef):
                    self.direct.setdefault(i.callee.name, []).append(i)
                elif i.opcode in FUNCTION_CALLS and isinstance(i.callee, Instruction | Argument):
                    self.indirect.append(i)


class _Walk:
    """One search for the declaration of a place, back to the origins of the pointer."""

    def __init__(self, declared: Declared) -> None:
        self._declared = declared
        self._seen: set[tuple[Value, int]] = set()

    def at(self, pointer: Value, offset: int, size: int | None) -> Descriptor | None:
        """Returns the descriptor at an offset behind a pointer into an element of that size, if it is known."""
        if (pointer, offset) in self._seen or len(self._seen) > _MANY:
            return None
        self._seen.add((pointer, offset))
        copied = _copied(pointer) if offset == 0 else None
        return _joined(self._from(pointer, offset, size), copied)

    def _from(self, pointer: Value, offset: int, size: int | None) -> Descriptor | None:
        if isinstance(pointer, GlobalRef):
            return self._in_global(pointer.name, offset)
        if isinstance(pointer, ConstantExpr) and pointer.opcode == "getelementptr" and pointer.source is not None:
            distance, _ = address_offset(pointer.source, pointer.operands[1:])
            return self._from(pointer.operands[0], offset + distance, None)
        if isinstance(pointer, Argument):
            return self._in_argument(pointer, offset, size)
        return self._from_instruction(pointer, offset, size) if isinstance(pointer, Instruction) else None

    def _from_instruction(self, i: Instruction, offset: int, size: int | None) -> Descriptor | None:
        match i.opcode:
            case "alloca":
                return self._in_variable(i, offset)
            case "getelementptr":
                return self._further(i, offset, size)
            case opcode if opcode in CHOICES:
                return self._agreed([(p, offset) for p in PASSED.operands(i)], size)
            case opcode if opcode in GIVES_ADDRESS:
                passed = known_value(self._declared.module, i)
                if passed is not i:
                    return self.at(passed, offset, size)
                return self._in_element(offset, size, self._types_at(i))
        return None

    def _agreed(self, places: Iterable[tuple[Value, int]], size: int | None, some: bool = False) -> Descriptor | None:
        """What all places say, except places that this search has visited.

        With `some`, places of which nothing is known do not count if the others say that the type is derived: without
        an expectation, a stand-in leaves derived types to flang's library.
        """
        found = [self.at(*place, size) for place in dict.fromkeys(places) if place not in self._seen]
        known = [descriptor for descriptor in found if descriptor is not None]
        joined = known[0] if known else None
        for other in known[1:]:
            joined = _either(joined, other) if joined is not None else None
        is_enough = len(known) == len(found) or (some and joined is not None and joined.has_addendum)
        return joined if is_enough else None

    def _further(self, i: Instruction, offset: int, size: int | None) -> Descriptor | None:
        source = i.source_type
        if isinstance(source, NamedStruct) and len(i.operands) > 1:
            size = alloc_size(source)
        base = self._agreed([(i.operands[0], offset + distance) for distance in _distances(i)], size)
        inside, _ = address_offset(source, i.operands[1:])
        field_ = _descriptor_in(source, inside % alloc_size(source)) if isinstance(source, NamedStruct) else None
        return _joined(field_, base) if offset == 0 else base

    def _in_variable(self, i: Instruction, offset: int) -> Descriptor | None:
        assert i.memory.accessed is not None
        found = self._in_type(i.memory.accessed, offset)
        if found is None or found.types:
            return found
        if not found.has_addendum:
            return replace(found, code=self._code_in(i)) if found.code < 0 and offset == 0 else found
        stored = list(self._stored(i, offset + found.addendum))
        types = frozenset(name for name in stored if name is not None)
        return replace(found, types=types, is_typed=bool(types) and None not in stored)

    def _code_in(self, variable: Instruction) -> int:
        """The code of the elements' type in all that is stored in a variable."""
        found = set()
        for user in variable.users:
            if user.opcode == "store" and user.operands[1] is variable:
                found.add(_code(_constant(user.operands[0])))
            elif _is_copy(user) and user.arguments[0] is variable:
                source = self.at(user.arguments[1], 0, None)
                found.add(-1 if source is None else source.code)
        return found.pop() if len(found) == 1 else -1

    def _in_type(self, type_: Type, offset: int) -> Descriptor | None:
        """What a type says, and the table of a derived type."""
        found = _descriptor_in(type_, offset)
        if found is None or not isinstance(type_, NamedStruct):
            return found
        return _joined(found, self._in_element(offset, alloc_size(type_)))

    def _stored(self, pointer: Value, at: int, depth: int = 0) -> Iterator[str | None]:
        """The tables of derived types that are stored at an offset behind the pointer; None for other values."""
        for user in getattr(pointer, "users", ()):
            if user.opcode == "getelementptr" and user.operands[0] is pointer:
                offset, stride = address_offset(user.source_type, user.operands[1:])
                if not stride and depth < 4:
                    yield from self._stored(user, at - offset, depth + 1)
            elif user.opcode == "store" and user.operands[1] is pointer:
                yield from self._tables_in(_constant(user.operands[0]), at)
            elif _is_copy(user) and user.arguments[0] is pointer:
                yield from self._copied_tables(user.arguments[1], at, depth)

    def _copied_tables(self, source: Value, at: int, depth: int) -> Iterator[str | None]:
        is_variable = isinstance(source, Instruction) and source.opcode == "alloca"
        found = list(self._stored(source, at, depth + 1)) if is_variable and depth < 4 else []
        yield from found or [None]

    def _tables_in(self, constant: Value, at: int) -> Iterator[str | None]:
        if isinstance(constant.type, StructType | NamedStruct) and isinstance(constant, ConstantAggregate):
            for element, offset in zip(constant.elements, field_offsets(constant.type), strict=True):
                yield from self._tables_in(element, at - offset)
        elif at == 0 and constant.type == PTR:
            is_table = isinstance(constant, GlobalRef) and constant.name in self._declared.types.types
            yield constant.name if is_table and isinstance(constant, GlobalRef) else None

    def _in_global(self, name: str, offset: int) -> Descriptor | None:
        variable = self._declared.module.globals.get(name)
        found = self._in_type(variable.value_type, offset) if variable is not None else None
        if variable is None or found is None or found.types or variable.initializer is None:
            return found
        if not found.has_addendum:
            return replace(found, code=_code(variable.initializer) if offset == 0 else -1)
        tables_ = self._tables_in(variable.initializer, offset + found.addendum)
        return replace(found, types=frozenset(name for name in tables_ if name is not None))

    def _in_argument(self, argument: Argument, offset: int, size: int | None) -> Descriptor | None:
        """What all calls pass. At an offset, the components of derived types count as well."""
        function = self._declared.function_of(argument)
        calls = self._declared.calls_of(function) if function is not None else []
        passed = [(i.arguments[argument.index], offset) for i in calls if argument.index < len(i.arguments)]
        # others may be in procedures that nobody calls, or reach another function
        agreed = self._agreed(passed, size, some=True)
        given = agreed and replace(agreed, is_declared=False, is_typed=False)  # there may be unknown calls
        return _joined(given, self._in_element(offset, size) if offset else None)

    def _types_at(self, i: Instruction) -> frozenset[str]:
        """The tables of derived types that elements may have whose address is loaded from a descriptor."""
        array = self.at(i.operands[0], 0, None) if i.opcode == "load" else None
        types = array.types if array is not None else frozenset()
        return types if not any(map(self._declared.types.is_extended, types)) else frozenset()

    def _in_element(self, offset: int, size: int | None, among: frozenset[str] = frozenset()) -> Descriptor | None:
        """What the tables of derived types say of the offset, if they agree on rank and addendum."""
        found = dict.fromkeys(_of_component(c) for c in self._declared.types.descriptors_at(offset, size, among))
        joined = next(iter(found), None)
        for other in found:
            joined = _either(joined, other) if joined is not None else None
        return joined


def _joined(a: Descriptor | None, b: Descriptor | None) -> Descriptor | None:
    """What two sources say of one descriptor. Where they differ, the first counts."""
    if a is None or b is None:
        return a or b
    code = a.code if a.code >= 0 else b.code
    return replace(_either(a, b) or a, is_declared=a.is_declared, is_typed=a.is_typed, code=code)


def _either(a: Descriptor, b: Descriptor) -> Descriptor | None:
    """What holds for either of two descriptors; None if their ranks differ."""
    if (a.rank, a.has_addendum) != (b.rank, b.has_addendum):
        return None
    return Descriptor(
        a.rank,
        a.has_addendum,
        a.types | b.types,
        a.is_declared and b.is_declared,
        a.is_typed and b.is_typed,
        a.code if a.code == b.code else -1,
    )


def _distances(i: Instruction) -> list[int]:
    """The offsets that a getelementptr may add, without multiples of whole elements."""
    index = i.operands[-1]
    if len(i.operands) == 2 and isinstance(index, Instruction) and index.opcode in CHOICES:
        chosen = [c.value for c in PASSED.operands(index) if isinstance(c, ConstantInt)]
        if len(chosen) == len(PASSED.operands(index)):
            return [value * alloc_size(i.source_type) for value in chosen]
    return [address_offset(i.source_type, i.operands[1:])[0]]


def _of_component(component: Component) -> Descriptor:
    types = frozenset([component.derived] if component.derived is not None else [])
    return Descriptor(component.rank, component.is_derived, types, code=component.code)


def _descriptor_in(type_: Type, offset: int) -> Descriptor | None:
    """The descriptor that is declared at an offset in a type."""
    while True:
        found = _as_descriptor(type_) if offset == 0 else None
        if found is not None:
            return found
        if isinstance(type_, ArrayType):
            offset, type_ = offset % (alloc_size(type_.element) or 1), type_.element
        elif isinstance(type_, StructType | NamedStruct) and struct_fields(type_):
            places = list(zip(field_offsets(type_), struct_fields(type_), strict=True))
            start, type_ = next(place for place in reversed(places) if place[0] <= offset)
            offset -= start
        else:
            return None


def _as_descriptor(type_: Type) -> Descriptor | None:
    """The descriptor of a struct type, if flang makes it for descriptors: head, dimensions if any, addendum if any."""
    fields = type_.fields if isinstance(type_, StructType) else ()
    rest = list(fields[len(_HEAD) :])
    if fields[: len(_HEAD)] != _HEAD:
        return None
    first = rest[0] if rest else None
    rank = first.count if isinstance(first, ArrayType) and first.element == _DIMENSION else 0
    rest = rest[rank > 0 :]
    known = rest in ([], [PTR, _LENGTHS]) and rank < _ANY_RANK
    return Descriptor(rank, bool(rest), is_declared=True) if known else None


def _code(descriptor: Value) -> int:
    """The code of the elements' type in a constant descriptor."""
    if not isinstance(descriptor, ConstantAggregate) or _as_descriptor(descriptor.type) is None:
        return -1
    code = descriptor.elements[_TYPE_CODE]
    return code.value if isinstance(code, ConstantInt) else -1


def _is_copy(i: Instruction) -> bool:
    return i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name.startswith(_MEMCPY)


def _copied(pointer: Value) -> Descriptor | None:
    """The descriptor that a copy of all its bytes connects with the memory."""
    for user in getattr(pointer, "users", ()):
        size = user.arguments[2] if _is_copy(user) else None
        if not isinstance(size, ConstantInt):
            continue
        for other in user.arguments[:2]:
            type_ = other.memory.accessed if isinstance(other, Instruction) and other.opcode == "alloca" else None
            found = _as_descriptor(type_) if type_ is not None and other is not pointer else None
            if type_ is not None and found is not None and alloc_size(type_) == size.value:
                return replace(found, is_declared=False)
    return None


def _constant(value: Value) -> Value:
    """The constant that values have been inserted into."""
    while isinstance(value, Instruction) and value.opcode == "insertvalue":
        value = value.operands[0]
    return value
