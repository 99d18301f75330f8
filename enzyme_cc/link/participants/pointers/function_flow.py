"""Follows the addresses of functions through a program: into which fields, globals, variables and parameters each goes.

The analysis is based on fields: all objects of a struct type are one. It does not tell apart the calls of a function.
Types are those that clang's front end gives to address computations. A function is *wild* if its address goes where
no type shows what it is: through a pointer to a pointer, to code without bitcode, into an integer. What is loaded from
anywhere may be a wild function.

Two struct types are one if their names and members are equal: each unit has types of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field

from enzyme_cc.ir.vtables import is_vtable
from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted
from enzyme_cc.link.inputs.units import Definition, Linked, Unit
from enzyme_cc.link.participants.pointers.pointer_targets import (
    PointedShape,
    call_shape,
    first_type,
    is_local,
    type_parts,
)
from enzyme_cc.link.participants.pointers.struct_places import StructMember, Structs, plain

# Where an address may be: a member of a struct type, a global, or a value or variable of a function.
AddressHolder = Hashable
_WILD = "wild"

_LOCAL = re.compile(rf"%{NAME}")
_MENTION = re.compile(rf"@({NAME})")
_STORE = re.compile(r"  store (?:volatile )?ptr (?P<value>.+?), ptr (?P<place>.+?), align ")
_LOAD = re.compile(rf"  (?P<result>%{NAME}) = load (?:volatile )?ptr, ptr (?P<place>.+?), align ")
_CALL = re.compile(rf"\b(?:call|invoke) (?P<head>[^@%\"\n]*?)(?P<callee>[@%]{NAME})\((?P<arguments>.*)")
_CHOICE = re.compile(rf"  (?P<result>%{NAME}) = (?:phi|select) ")
_COMPUTED = re.compile(rf"  (?P<result>%{NAME}) = (?P<computed>getelementptr .*)")
_VARIABLE = re.compile(rf"  (?P<result>%{NAME}) = alloca (?P<type>[^,]+)")
_HARMLESS = re.compile(r"  (?:%\S+ = icmp |call void @llvm\.(?:lifetime|dbg)|br |switch |#dbg|.*\bllvm\.assume)")
_MEMBER = re.compile(
    rf"getelementptr (?:inbounds )?(?:nuw )?\(?(?P<type>%{NAME}), ptr [^,\n]+(?P<indices>(?:, i\d+ [-%\w.$]+)+)"
)
_VALUE = re.compile(r'@("[^"\n]*"|[-\w.$]++)(?!\()')
_GLOBAL = re.compile(r"@[^\n]*?(?<= )(?:global|constant) (?P<rest>.*)")


class _Body(Struct, frozen=True, dict=True):
    """The body of a function."""

    unit: Unit
    name: str
    text: str

    def value(self, name: str) -> AddressHolder:
        return ("value", self.unit, self.name, name)

    @cached_property
    def lines(self) -> dict[str, list[str]]:
        """The lines by the local values that they mention. Only lines with the word `ptr` move a pointer."""
        found: dict[str, list[str]] = {}
        for line in (line for line in self.text.split("\n")[1:] if "ptr" in line):
            for value in set(_LOCAL.findall(line)):
                found.setdefault(value, []).append(line)
        return found

    @cached_property
    def variables(self) -> dict[str, str]:
        """The types of the variables on the stack."""
        found = filter(None, map(_VARIABLE.match, self.text.split("\n")))
        return {line["result"]: line["type"] for line in found}

    @cached_property
    def computed(self) -> dict[str, str]:
        """The address computations."""
        found = filter(None, map(_COMPUTED.match, self.text.split("\n")))
        return {line["result"]: line["computed"] for line in found}

    @cached_property
    def loads(self) -> dict[str, str]:
        """The places that pointers are loaded from."""
        return {line["result"]: line["place"] for line in filter(None, map(_LOAD.match, self.text.split("\n")))}

    @cached_property
    def parameters(self) -> list[str]:
        head = self.text.partition("\n")[0].partition("@")[2].partition("(")[2]
        return [part.rpartition(" ")[2] for part in type_parts(head)]


class FunctionFlow(Struct, dict=True):
    """The analysis of all units with bitcode, made when the first question is asked.

    `text_of` gives the module of a unit. `key_of` identifies the function that a name in a unit means, if its address
    is taken. `by_shape` are the functions whose address is taken.
    """

    linked: Linked
    text_of: Callable[[Unit], ModuleText]
    key_of: Callable[[Unit, str], Definition | None]
    by_shape: Callable[[PointedShape], Iterable[Definition]]
    _held: dict[AddressHolder, set[Definition]] = field(default_factory=dict)
    _arrived: dict[AddressHolder, set[Definition]] = field(default_factory=dict)
    _bodies: dict[Definition, _Body] = field(default_factory=dict)
    _structs: dict[Unit, Structs] = field(default_factory=dict)

    def of_pointer(self, unit: Unit, function: str, pointer: str) -> frozenset[Definition] | None:
        """Returns the functions that a local value of a function may be the address of. None if this is not known."""
        if not self._is_solved:
            return None
        body = self._body(unit, function)
        place = self._place(body, body.loads[pointer]) if pointer in body.loads else body.value(pointer)
        held = self._held.get(place, set()) if place != _WILD else set()
        return frozenset(held | self._held.get(_WILD, set())) if held else None

    @cached_property
    def _is_solved(self) -> bool:
        """Solves the analysis. False if some bitcode has been optimised: its addresses do not tell types."""
        if not all(unit.is_unoptimised for unit in self._units):
            return False
        for unit in self._units:
            for entity in self.text_of(unit).entities.values():
                if entity.is_definition:
                    self._start(unit, entity)
        for unit, name in self._named_by_native_code():
            if (key := self.key_of(unit, name)) is not None:
                self._add(_WILD, {key})
        readers: dict[AddressHolder, tuple[AddressHolder, ...]] = {}
        while self._arrived:
            place, functions = self._arrived.popitem()
            if place not in readers:
                readers[place] = tuple(dict.fromkeys(self._readers(place)))
            for reader in readers[place]:
                self._add(reader, functions)
        return True

    def _named_by_native_code(self) -> Iterator[Definition]:
        """Yields the symbols of units without bitcode, and those that shared libraries import, each with a unit."""
        for unit in self.linked.units:
            yield from ((unit, symbol.name) for symbol in (() if unit.modules else unit.symbols))
        for library in self.linked.shared:
            imported = [symbol.name for symbol in library.file.symbols if not symbol.is_defined]
            yield from ((unit, name) for unit in self._units[:1] for name in imported)

    @cached_property
    def _units(self) -> list[Unit]:
        return [unit for unit in self.linked.units if unit.modules]

    def _add(self, place: AddressHolder, functions: set[Definition]) -> None:
        """Enters functions that arrive at a place."""
        held = self._held.setdefault(place, set())
        new = functions - held
        held |= new
        if new and place != _WILD:
            self._arrived.setdefault(place, set()).update(new)

    # -- where addresses are taken

    def _start(self, unit: Unit, entity: Entity) -> None:
        module = self.text_of(unit)
        names = module.values(entity) if entity.is_function else module.references(entity)
        found = {name: key for name in names if (key := self.key_of(unit, name)) is not None}
        if not found or is_vtable(entity.name) or entity.name.startswith("llvm."):
            return
        if not entity.is_function:
            self._start_global(unit, entity, found)
            return
        body = self._body(unit, entity.name)
        for line in body.text.split("\n")[1:]:
            for name in {unquoted(name) for name in _VALUE.findall(line)} & found.keys():
                for place in self._reached(body, line, "@" + quoted(name)):
                    self._add(place, {found[name]})

    def _start_global(self, unit: Unit, entity: Entity, found: Mapping[str, Definition]) -> None:
        text = plain(self.text_of(unit).of(entity).rstrip())
        head = _GLOBAL.match(text)
        if head is None:  # an alias: it takes no address
            return
        type_ = first_type(head["rest"])
        value = head["rest"][len(type_) + 1 :]
        seen = set()
        for member, scalar in self._of(unit).initial(type_, value):
            name = unquoted(scalar.partition(", ")[0].removeprefix("@"))
            if name in found and scalar.startswith("@"):
                seen.add(name)
                is_table = member is None and "{" not in type_ and "%" not in type_
                self._add(member or (self._global(unit, entity.name) if is_table else _WILD), {found[name]})
        for name in found.keys() - seen:
            self._add(_WILD, {found[name]})

    # -- what reads a place

    def _readers(self, place: AddressHolder) -> Iterator[AddressHolder]:
        """Yields the places that what is in a place goes to next."""
        if isinstance(place, StructMember):
            for unit, name, line in self._lines_with_member.get(place, ()):
                yield from self._from_address(self._body(unit, name), line, None)
        elif isinstance(place, tuple) and place[0] == "global":
            yield from self._readers_of_global(place[1], place[2])
        elif isinstance(place, tuple) and place[0] == "argument":
            for unit, name in self.by_shape(place[1]) if place[1] is not None else ():
                yield self._parameter(unit, name, place[2])
        elif isinstance(place, tuple):
            _, unit, name, value = place
            body = self._body(unit, name)
            is_variable = value in body.variables
            for line in body.lines.get(value, ()):
                yield from self._from_address(body, line, value) if is_variable else self._reached(body, line, value)

    def _reached(self, body: _Body, line: str, value: str) -> Iterator[AddressHolder]:
        """Yields where an instruction takes the address of a function that it has as an operand."""
        store, choice = _STORE.match(line), _CHOICE.match(line)
        if store is not None:
            if store["place"] != value:
                yield self._place(body, store["place"]) if store["value"] == value else _WILD
        elif choice is not None:
            yield body.value(choice["result"])
        elif (call := _CALL.search(line)) is not None:
            yield from self._passed(body, call, value)
        elif not (_HARMLESS.match(line) or _LOAD.match(line)):
            yield _WILD

    def _passed(self, body: _Body, call: re.Match[str], value: str) -> Iterator[AddressHolder]:
        if call["callee"].startswith("@llvm.lifetime"):
            return
        arguments = list(type_parts(call["arguments"]))
        indices = [k for k, argument in enumerate(arguments) if argument.rpartition(" ")[2] == value]
        if not indices and call["callee"] != value:
            yield _WILD
        for index in indices:
            if call["callee"].startswith("%"):
                yield ("argument", call_shape(call["head"], call["arguments"]), index)
            else:
                yield self._parameter(body.unit, unquoted(call["callee"][1:]), index)

    def _parameter(self, unit: Unit, callee: str, index: int) -> AddressHolder:
        """Returns the value of a parameter, if the callee has bitcode."""
        entity = self.text_of(unit).entities.get(callee)
        if entity is None or not entity.is_definition:
            callee = self.linked.target(callee)
            definer = self.linked.definers.get(callee)
            entity = self.text_of(definer).entities.get(callee) if definer is not None and definer.modules else None
            if definer is None or entity is None or not entity.is_definition:
                return _WILD
            unit = definer
        if not entity.is_function:
            return _WILD
        body = self._body(unit, callee)
        parameters = [value for value in body.parameters if value != "..."]
        return body.value(parameters[index]) if index < len(parameters) else _WILD

    def _from_address(self, body: _Body, line: str, address: str | None) -> Iterator[AddressHolder]:
        """Yields where an instruction takes what is at an address that it computes or has as an operand.

        With `address` None, the line computes the address or has it as a constant.
        """
        load, computed, store = _LOAD.match(line), _COMPUTED.match(line), _STORE.match(line)
        if load is not None:
            if address in (None, load["place"]):
                yield body.value(load["result"])
        elif computed is not None:
            for use in body.lines.get(computed["result"], ()):
                if use != line:
                    yield from self._from_address(body, use, computed["result"])
        elif not (_is_into(store, address) or _HARMLESS.match(line) or _VARIABLE.match(line)):
            yield _WILD

    def _readers_of_global(self, unit: Unit | None, name: str) -> Iterator[AddressHolder]:
        mention = "@" + quoted(name)
        for user in [unit] if unit is not None else self._units:
            module = self.text_of(user)
            for entity in module.entities.values() if name in module.entities else ():
                text = module.of(entity)
                if not entity.is_definition or entity.name == name or mention not in text:
                    continue
                if not entity.is_function:
                    yield _WILD
                    continue
                lines = (line for line in text.split("\n") if mention in line)
                for line in lines:
                    if name in map(unquoted, _MENTION.findall(line)):
                        direct = _LOAD.match(line) or _STORE.match(line)
                        is_direct = direct is not None and direct["place"] == mention
                        yield from self._from_address(
                            self._body(user, entity.name), line, mention if is_direct else None
                        )

    # -- places

    def _place(self, body: _Body, operand: str) -> AddressHolder:
        """Returns what is at an address that an instruction has as an operand."""
        if operand.startswith("@"):
            return self._global_place(body.unit, unquoted(operand[1:]))
        if operand in body.variables:
            return self._of(body.unit).first(plain(body.variables[operand]))[0] or body.value(operand)
        computed = body.computed.get(operand, operand)
        address = self._of(body.unit).address(plain(computed)) if computed.startswith("getelementptr") else None
        if address is None or address.type != "ptr":
            return _WILD
        return address.member or (self._place(body, address.base) if address.base is not None else _WILD)

    def _global_place(self, unit: Unit, name: str) -> AddressHolder:
        module = self.text_of(unit)
        entity = module.entities.get(name)
        head = _GLOBAL.match(module.of(entity)) if entity is not None else None
        if head is None:
            return _WILD
        member, type_ = self._of(unit).first(first_type(plain(head["rest"])))
        return member or (self._global(unit, name) if type_ == "ptr" else _WILD)

    def _global(self, unit: Unit, name: str) -> AddressHolder:
        module = self.text_of(unit)
        return ("global", unit if is_local(module.of(module.entities[name])) else None, name)

    def _of(self, unit: Unit) -> Structs:
        if unit not in self._structs:
            self._structs[unit] = Structs(self.text_of(unit))
        return self._structs[unit]

    def _body(self, unit: Unit, name: str) -> _Body:
        if (unit, name) not in self._bodies:
            module = self.text_of(unit)
            self._bodies[unit, name] = _Body(unit, name, module.of(module.entities[name]))
        return self._bodies[unit, name]

    @cached_property
    def _lines_with_member(self) -> dict[StructMember, list[tuple[Unit, str, str]]]:
        """The lines that compute addresses of pointers in structs, with unit and function, by the struct's member."""
        found: dict[StructMember, list[tuple[Unit, str, str]]] = {}
        for unit in self._units:
            module, known = self.text_of(unit), dict[tuple[str, str], StructMember | None]()
            functions = [e for e in module.entities.values() if e.is_function and e.is_definition]
            starts = [entity.start for entity in functions]
            for words in _MEMBER.finditer(module.text):
                if words.groups() not in known:
                    known[words["type"], words["indices"]] = self._member(unit, *words.groups())
                member = known[words["type"], words["indices"]]
                at = bisect_right(starts, words.start()) - 1
                if member is not None and at >= 0 and words.start() < functions[at].end:
                    start = module.text.rfind("\n", 0, words.start()) + 1
                    line = module.text[start : module.text.find("\n", words.end())]
                    found.setdefault(member, []).append((unit, functions[at].name, line))
        return found

    def _member(self, unit: Unit, type_: str, indices: str) -> StructMember | None:
        address = self._of(unit).address(plain(f"getelementptr {type_}, ptr null{indices}"))
        return address.member if address is not None and address.type == "ptr" else None


def _is_into(store: re.Match[str] | None, address: str | None) -> bool:
    """True for a store to an address; with `address` None, to one that a constant computes."""
    return store is not None and (store["place"] == address or (address is None and "getelementptr" in store["place"]))
