"""Which functions a call through a pointer may reach: those of its type whose address the program takes anywhere.

The link writes them into tables of the merged module. There analysis/pointed_functions.py reads the answer.

The function to differentiate may be given a handle that other code has filled: a factory, a registry, a constructor.
So the address may be taken in any unit of the link. A call of a virtual function reaches only the functions in its slot
of the vtable of a class that derives from the object's static type; of any class if that type is none (a handle). No
other call reaches a function that only vtables hold, except through pointers to members. A call of a type-bound
procedure of Fortran reaches those in its slot of the tables of bindings (bindings.py). A target that this walk finds
may never be called. A target that it misses ends the program with a message when it is called.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from msgspec import Struct

from enzyme_cc.ir.instructions import CALLS
from enzyme_cc.ir.vtables import binding_slots, class_of_vtable, is_binding_table, is_vtable, vtable_slots
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, unquoted
from enzyme_cc.link.inputs.taken_addresses import imported_addresses, named_addresses
from enzyme_cc.link.inputs.units import REQUEST, Definition, Linked, Unit
from enzyme_cc.link.participants.linkage import aliases
from enzyme_cc.link.participants.pointers.bindings import Bindings
from enzyme_cc.link.participants.pointers.prototypes import prototype
from enzyme_cc.link.participants.pointers.static_types import ClassHierarchy, StaticTypes
from enzyme_cc.rules.control_functions import BORROWS_FUNCTION

_LOCAL = rf"%(?:{NAME})"
# One pattern for each word: a search for fixed characters is much faster than one for alternatives.
_INDIRECT = tuple(
    re.compile(rf" {word} (?P<head>[^@%\"\n]*?)(?P<pointer>{_LOCAL})\((?P<arguments>[^\n]*)") for word in sorted(CALLS)
)
_LOAD = re.compile(rf"^  ({_LOCAL}) = load ptr, ptr ({_LOCAL})(?=,|$)", re.M)
_ELEMENT = re.compile(rf"^  ({_LOCAL}) = getelementptr inbounds(?: nuw)? ptr, ptr ({_LOCAL}), i64 (\d+)(?=,|$)", re.M)
_MENTION = re.compile(rf"@({NAME})")
_BRACKETS = {"{": "}", "[": "]", "<": ">", "(": ")"}
# Shared libraries of the compiler and of C, which put nothing into the program's pointers.
_RUNTIME = re.compile(
    r"(?:ld-|lib(?:c|m|mvec|dl|rt|pthread|stdc\+\+|c\+\+\w*|gcc_s|gfortran|quadmath|[gi]?omp|omp5|flang\w*)[.-])"
)
# Symbols that hold addresses without taking them in the program's sense.
_NO_USE = ("llvm.used", "llvm.compiler.used", "llvm.global.annotations")


class PointedShape(Struct, frozen=True):
    """The type of a function as its call shows it: the result's type and the parameters'."""

    result: str
    parameters: tuple[str, ...]


def shape_of_definition(text: str) -> PointedShape | None:
    """Returns the shape of a function from the first line of its definition; None for variable arguments."""
    head, _, rest = text.partition("\n")[0].partition("@")
    name = re.match(NAME, rest)
    return None if name is None else call_shape(head, rest[name.end() + 1 :])


def shape_of_type(function_type: str) -> PointedShape | None:
    """Returns the shape of a function from its type in LLVM's text; None for variable arguments."""
    result, _, parameters = function_type.partition(" (")
    return call_shape(result, parameters)


def call_shape(head: str, arguments: str) -> PointedShape | None:
    """Returns the shape from the words before the callee and those after the bracket; None for variable arguments."""
    parts = list(type_parts(arguments))
    if "..." in parts:
        return None
    return PointedShape(_unnamed(_last_type(head)), tuple(_unnamed(first_type(part)) for part in parts))


def type_of_definition(text: str) -> str:
    """Returns the type of a function from the first line of its definition, as LLVM's text has it."""
    head, _, rest = text.partition("\n")[0].partition("@")
    name = re.match(NAME, rest)
    assert name is not None, text
    return f"{_last_type(head)} ({', '.join(map(first_type, type_parts(rest[name.end() + 1 :])))})"


def _unnamed(type_: str) -> str:
    """Returns one type for all named structs: their names differ between modules."""
    return "%" if type_.startswith("%") else type_


def type_parts(arguments: str) -> Iterator[str]:
    """Yields the parts between top-level commas, up to the bracket that closes the list."""
    depth, start = 0, 0
    for at, character in enumerate(arguments):
        if character in "([{<":
            depth += 1
        elif character in ")]}>":
            if depth == 0:
                if at > start:
                    yield arguments[start:at].strip()
                return
            depth -= 1
        elif character == "," and depth == 0:
            yield arguments[start:at].strip()
            start = at + 1


def first_type(text: str) -> str:
    """Returns the type that a parameter or an initial value begins with."""
    if text.startswith('%"'):
        return text[: text.find('"', 2) + 1]
    if text[:1] not in _BRACKETS:
        return text.partition(" ")[0]
    depth = 0
    for at, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if depth == 0:
            return text[: at + 1]
    return text


def _last_type(text: str) -> str:
    """Returns the type that a result's attributes end with."""
    text = text.strip()
    if text.endswith('"'):
        return text[text.rindex('%"') :]
    if text[-1:] not in ("}", "]", ">"):
        return text.rpartition(" ")[2]
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")]}>") - (text[at] in "([{<")
        if depth == 0:
            return text[at:]
    return text


@dataclass(frozen=True)
class Want:
    """What an indirect call says of its target: the shape, and the slot of the vtable that it was loaded from.

    `is_binding`: the slot is that of a binding table of Fortran. `static_type` is the class of the object, if that is
    known. `is_virtual`: the table is surely a vtable.
    `may_be_method`: without a slot, the target may be a function that only vtables hold. `pointer` is the local value
    that is called.
    """

    shape: PointedShape
    slot: int | None = None
    static_type: str | None = None
    is_virtual: bool = False
    may_be_method: bool = True
    is_binding: bool = False
    pointer: str = field(default="", compare=False)


def wants(text: str, types: StaticTypes | None = None) -> Iterator[Want]:
    """Yields what the indirect calls in a function's text may call.

    `types`: those of the function's module; None if it has been optimised.
    """
    calls = [call for pattern in _INDIRECT for call in pattern.finditer(text)]
    loads = dict(_LOAD.findall(text)) if calls else {}
    elements = {result: (table, int(slot)) for result, table, slot in _ELEMENT.findall(text)} if calls else {}
    bindings = Bindings(text)
    for found in calls:
        shape = call_shape(found["head"], found["arguments"])
        if shape is not None and bindings.is_from_integer(found["pointer"]):
            yield Want(shape, bindings.slot(found["pointer"]), is_binding=True, pointer=found["pointer"])
        elif shape is not None:
            pointer, table = found["pointer"], _table(loads, elements, found["pointer"], found["arguments"])
            if table is None:
                is_other = types is not None and not _may_be_method(types, text, loads, elements, pointer)
                yield Want(shape, may_be_method=not is_other, pointer=pointer)
            elif types is None:
                yield Want(shape, table[1], pointer=pointer)
            else:
                static_type = types.of(text, loads[table[0]])
                is_virtual = types.is_vtable(text, table[0])
                yield Want(shape, table[1], static_type=static_type, is_virtual=is_virtual, pointer=pointer)


def _table(
    loads: Mapping[str, str], elements: Mapping[str, tuple[str, int]], pointer: str, arguments: str
) -> tuple[str, int] | None:
    """Returns table and slot if the call has the form of a virtual one: it passes the object that the table came from.

    `loads`: the place that each pointer is loaded from. `elements`: the table and the index that make up a place.
    """
    if pointer not in loads:
        return None
    table, slot = elements.get(loads[pointer], (loads[pointer], 0))
    if table not in loads or not re.search(rf"{re.escape(loads[table])}(?=[,)])", arguments):
        return None
    return table, slot


def _may_be_method(
    types: StaticTypes, text: str, loads: Mapping[str, str], elements: Mapping[str, tuple[str, int]], pointer: str
) -> bool:
    """True if the pointer was chosen, as for a pointer to a member, or was loaded from a vtable in an unusual way."""
    if pointer not in loads:
        return types.is_chosen(text, pointer)
    place = loads[pointer]
    return types.is_vtable(text, elements.get(place, (place, 0))[0])


@dataclass
class _Taken:
    """Where the address of a function is taken: the slots of vtables with their classes, and whether anywhere else.

    `bindings`: the slots of binding tables. `unit`: one in which the function's name means it.
    """

    unit: Unit
    slots: dict[int, set[str]] = field(default_factory=dict)
    bindings: set[int] = field(default_factory=set)
    elsewhere: bool = False


class PointerTargets:
    """The functions of the link whose address is taken, by shape: those with bitcode, and known library functions.

    `text_of` gives the module of a unit with bitcode. All units are read when the first question is asked.
    `is_library` is true for a function that can be differentiated without bitcode. `prototype` gives its type in LLVM's
    text if no bitcode declares it, or "".
    """

    def __init__(
        self,
        linked: Linked,
        text_of: Callable[[Unit], ModuleText],
        is_library: Callable[[str], bool],
        prototype: Callable[[str], str] = prototype,
    ) -> None:
        self._linked = linked
        self._text_of = text_of
        self._is_library = is_library
        self._prototype = prototype
        self._aliases_of: dict[Unit, Mapping[str, str]] = {}

    def of(self, want: Want, among: Collection[Definition] | None = None) -> list[Definition]:
        """Returns the units that take the address of a fitting function, and its name.

        `among` are the functions whose address may be there, if that is known.
        """
        return [
            (taken.unit, name)
            for name, taken in self._by_shape.get(want.shape, ())
            if self._fits(want, taken) and (among is None or (taken.unit, name) in among)
        ]

    def _fits(self, want: Want, taken: _Taken) -> bool:
        if want.is_binding and want.slot is not None:
            return taken.elsewhere or want.slot in taken.bindings
        is_elsewhere = taken.elsewhere or bool(taken.bindings)
        if want.slot is None:
            return is_elsewhere or want.may_be_method
        if is_elsewhere and not want.is_virtual:
            return True
        classes = taken.slots.get(want.slot, set())
        if want.static_type is None or "" in classes or not self._hierarchy.is_class(want.static_type):
            return bool(classes)
        return not classes.isdisjoint(self._hierarchy.derived(want.static_type))

    @cached_property
    def _hierarchy(self) -> ClassHierarchy:
        return ClassHierarchy(self._text_of(unit) for unit in self._linked.units if unit.modules)

    def key(self, unit: Unit, name: str) -> Definition | None:
        """Returns what a name means in a unit, if it is a function whose address is taken."""
        unit, name = self._unaliased(unit, name)
        taken = self._taken.get((unit, name)) or self._taken.get((None, name))
        return None if taken is None else (taken.unit, name)

    def library_type(self, unit: Unit, name: str) -> str:
        """Returns the type, in LLVM's text, of a library function whose address is taken; "" for other functions."""
        if self._definer(unit, name) is not None:
            return ""
        entity = self._text_of(unit).entities.get(name)
        return type_of_definition(self._text_of(unit).of(entity)) if entity is not None else self._prototype(name)

    def slots(self, unit: Unit, name: str) -> frozenset[int] | None:
        """Returns the slots of vtables that hold a target. None if its address is taken elsewhere, too."""
        taken = self._taken.get((unit, name)) or self._taken[None, name]
        return None if taken.elsewhere or taken.bindings else frozenset(taken.slots)

    @cached_property
    def _by_shape(self) -> dict[PointedShape, list[tuple[str, _Taken]]]:
        by_shape: dict[PointedShape, list[tuple[str, _Taken]]] = {}
        for (_, name), taken in self._taken.items():
            shape = self._shape_of(taken.unit, name)
            if shape is not None:
                by_shape.setdefault(shape, []).append((name, taken))
        return by_shape

    @cached_property
    def _taken(self) -> dict[tuple[Unit | None, str], _Taken]:
        """Returns all functions whose address is taken; local ones are told apart by their unit."""
        found: dict[tuple[Unit | None, str], _Taken] = {}
        borrowing = BORROWS_FUNCTION - self._linked.definers.keys()
        for unit in self._linked.units:
            if not unit.modules:
                continue
            for mentioned, slot, class_ in _addresses(self._text_of(unit), self._aliases(unit), borrowing):
                among, name = self._unaliased(unit, mentioned)
                module = self._text_of(among)
                entity = module.entities.get(name)
                if entity is None or not entity.is_function or name.startswith("llvm.") or REQUEST in name:
                    continue
                local = entity.is_definition and is_local(module.of(entity))
                taken = found.setdefault((among if local else None, name), _Taken(among))
                if slot is None:
                    taken.elsewhere = True
                elif class_ is None:
                    taken.bindings.add(slot)
                else:
                    taken.slots.setdefault(slot, set()).add(class_)
        for unit, name in self._taken_by_native_code():
            found.setdefault((None, name), _Taken(unit)).elsewhere = True
        return found

    def _taken_by_native_code(self) -> Iterator[Definition]:
        """Yields the functions whose address native code takes, each with a unit in which the name means it."""
        readable = [unit for unit in self._linked.units if unit.modules]
        native = [unit.file for unit in self._linked.units if not unit.modules and unit.file is not None]
        shared = [library.file for library in self._linked.shared if not _RUNTIME.match(os.path.basename(library.path))]
        names = {name for file in native for name in named_addresses(file)}
        for name in sorted(names.union(*map(imported_addresses, shared))):
            definer = self._linked.definers.get(name)
            if definer is not None and definer.modules:
                entity = self._text_of(definer).entities.get(name)
                if entity is not None and entity.is_function:
                    yield definer, name
            elif self._is_library(name):
                others = (unit for unit in readable if not self._defines(unit, name))
                yield from ((unit, name) for unit in islice(others, 1))

    def _defines(self, unit: Unit, name: str) -> bool:
        entity = self._text_of(unit).entities.get(name)
        return entity is not None and entity.is_definition

    def _unaliased(self, unit: Unit, name: str) -> Definition:
        """Returns what a name in a unit means behind aliases: these take no address."""
        entity = self._text_of(unit).entities.get(name) if unit.modules else None
        if entity is None or not entity.is_definition:
            target = self._linked.target(name)
            definer = self._linked.definers.get(target)
            if definer is None or target not in self._aliases(definer):
                return unit, name
            unit, name = definer, target
        target = self._aliases(unit).get(name, name)
        return (unit, name) if target == name else self._unaliased(unit, target)

    def _aliases(self, unit: Unit) -> Mapping[str, str]:
        if unit not in self._aliases_of:
            self._aliases_of[unit] = aliases(self._text_of(unit)) if unit.modules else {}
        return self._aliases_of[unit]

    def _shape_of(self, unit: Unit, name: str) -> PointedShape | None:
        if (definer := self._definer(unit, name)) is not None:
            name = name if definer is unit else self._linked.target(name)
            return shape_of_definition(self._text_of(definer).of(self._text_of(definer).entities[name]))
        type_ = self.library_type(unit, name) if self._is_library(name) else ""
        return shape_of_type(type_) if type_ and "%" not in type_ else None

    def _definer(self, unit: Unit, name: str) -> Unit | None:
        """Returns the unit whose bitcode defines what a name in a unit means."""
        if self._defines(unit, name):
            return unit
        target = self._linked.target(name)
        definer = self._linked.definers.get(target)
        return definer if definer is not None and definer.modules and self._defines(definer, target) else None


def _addresses(
    module: ModuleText, without: Collection[str], borrowing: Collection[str]
) -> Iterator[tuple[str, int | None, str | None]]:
    """Yields the symbols whose address a module takes, with slot and class of the vtable that holds it.

    The class is None for a slot of a binding table. `without`: entities that take no address. `borrowing`: functions
    that forget the address of a function they call.
    """
    for entity in module.entities.values():
        if not entity.is_definition or entity.name in _NO_USE or entity.name in without or REQUEST in entity.name:
            continue
        text = module.of(entity)
        if is_vtable(entity.name):
            class_ = class_of_vtable(text)
            yield from ((unquoted(name.removeprefix("@")), slot, class_) for name, slot in vtable_slots(text))
        elif is_binding_table(entity.name):
            yield from ((unquoted(name.removeprefix("@")), slot, None) for name, slot in binding_slots(text))
        elif not entity.is_function:
            yield from ((name, None, "") for name in module.references(entity))
        else:
            yield from ((name, None, "") for name in _values(module, entity, text, borrowing))


def _values(module: ModuleText, entity: Entity, text: str, borrowing: Collection[str]) -> Iterable[str]:
    """Returns the symbols that a function names as values.

    These are without the functions that its requests name, and those that it passes to functions which only call them.
    """
    names = module.values(entity)
    if REQUEST in text:
        names -= set(_mentioned(arguments for _, arguments in module.calls(entity, REQUEST)))
    lent: Counter[str] = Counter()
    for callee in (name for name in borrowing if f"@{name}(" in text):
        lent.update(_mentioned(arguments for name, arguments in module.calls(entity, callee) if name == callee))
    if not lent:
        return names
    mentions = Counter(_mentioned([text]))
    return [name for name in names if mentions[name] > lent[name]]


def _mentioned(texts: Iterable[str]) -> Iterator[str]:
    """Yields each mention of a symbol in the texts."""
    return (unquoted(name) for text in texts for name in _MENTION.findall(text))


def is_local(text: str) -> bool:
    """True if a definition, given by its text, is visible in its unit only."""
    head = text.partition("\n")[0].split(" ", 3)
    return bool({"internal", "private"} & set(head[1:3]))
