"""Reads the text of an LLVM module as a graph of definitions, declarations and the names that definitions refer to.

A regular expression finds the names, in one pass over the text: that is enough to follow references between units.
Instructions are parsed only if somebody asks (`parsed`). Only direct calls are recognised, by the place of the callee's
name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from enzyme_cc.ir.module import Module

NAME = r'(?:"[^"\n]*"|[-\w.$]+)'

_HEAD = rf"(?:(?P<kind>define|declare)\b[^\n@]*@(?P<function>{NAME})\(|@(?P<global>{NAME}) = )"
_TOP_LEVEL = re.compile(_HEAD)
_NEXT_TOP_LEVEL = re.compile("\n" + _HEAD)  # begins with a character: the search passes quickly over all others
_REFERENCE = re.compile(rf"@({NAME})")
# Only the callee of a direct call, and the name of a function at its definition, stand before a bracket.
_VALUE = re.compile(r'@("[^"\n]*"|[-\w.$]++)(?!\()')
_CALL = re.compile(rf"\b(?:call|invoke)\b[^\n@]*@(?P<callee>{NAME})\((?P<arguments>[^\n]*)")
_LABEL = re.compile(rf"\bblockaddress\(@({NAME})")
_PLAIN_LOAD = re.compile(r"  %\S+ = load (?!atomic|volatile)")
_ESCAPE = re.compile(r"\\(\\|[0-9A-Fa-f]{2})")
_ENTRY = re.compile(rf"define [^\n]*\{{\n(?:{NAME}:[^\n]*\n)?")
_SOURCE_FILE = re.compile(r'^source_filename = (?P<path>"[^"\n]*")', re.M)
_DECLARED_GLOBAL = re.compile(r"(?:external|extern_weak)\b")
_THREAD_LOCAL = re.compile(r"[^\"\n]*?\bthread_local(?:\(\w+\))? ")


def unquoted(name: str) -> str:
    """Returns the symbol that a name in LLVM's text stands for."""
    if not name.startswith('"'):
        return name
    plain = _ESCAPE.sub(lambda escape: "\\" if escape[1] == "\\" else chr(int(escape[1], 16)), name[1:-1])
    return plain.encode("latin-1", "replace").decode("utf-8", "surrogateescape").removeprefix("\x01")


def quoted(symbol: str) -> str:
    """Returns the symbol as LLVM's text has it after `@`."""
    if re.fullmatch(r"[-\w.]+", symbol, re.ASCII) and not symbol[0].isdigit():
        return symbol
    encoded = symbol.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in encoded) + '"'


def with_first(text: str, instructions: str) -> str:
    """Returns the text of a function with instructions before all others."""
    entry = _ENTRY.match(text)
    assert entry is not None, text[:80]
    return text[: entry.end()] + instructions + text[entry.end() :]


def labelled_functions(text: str) -> set[str]:
    """Returns the functions that have labels of which LLVM's text takes the address."""
    return set(map(unquoted, _LABEL.findall(text))) if "blockaddress(" in text else set()


class Entity(Struct, frozen=True):
    """A function, variable, alias or ifunc. Its text is `text[start:end]` of the module's text."""

    name: str
    is_function: bool
    is_definition: bool
    start: int
    end: int


class ModuleText(Struct, frozen=True, dict=True):
    """The text of a module."""

    text: str

    @cached_property
    def entities(self) -> dict[str, Entity]:
        """All functions and globals by symbol name."""
        return {entity.name: entity for entity in scan(self.text)}

    @cached_property
    def parsed(self) -> Module:
        """The module as objects."""
        return Module.parse(self.text)

    @cached_property
    def named_beside_loads(self) -> frozenset[str]:
        """The functions and globals that stand anywhere but in plain loads, and in definitions of their own."""
        found: set[str] = set()
        function = None
        for line in self.text.split("\n"):
            if "@" not in line or _PLAIN_LOAD.match(line):
                continue
            head = _TOP_LEVEL.match(line)
            function = function if head is None else head["function"]
            own = function or (head and head["global"])
            found.update(name for name in _REFERENCE.findall(line) if name != own)
        return frozenset(map(unquoted, found))

    @cached_property
    def source_file(self) -> str:
        """The name of the source file, without folders, as the object's symbol table has it. Empty if unknown."""
        found = _SOURCE_FILE.search(self.text)
        return "" if found is None else os.path.basename(unquoted(found["path"]))

    def of(self, entity: Entity) -> str:
        """Returns the text of an entity."""
        return self.text[entity.start : entity.end]

    def references(self, entity: Entity) -> set[str]:
        """Returns the functions and globals that an entity's text names, without the entity itself."""
        return {unquoted(name) for name in _REFERENCE.findall(self.of(entity))} - {entity.name}

    def ordered_references(self, entity: Entity) -> list[str]:
        """Returns `references` in the order of the text."""
        names = dict.fromkeys(unquoted(name) for name in _REFERENCE.findall(self.of(entity)))
        return [name for name in names if name != entity.name]

    def definitions(self, names: Iterable[str]) -> list[Entity]:
        """Returns the functions and globals with these names that the module defines."""
        found = (self.entities[name] for name in names if name in self.entities)
        return [entity for entity in found if entity.is_definition]

    def is_thread_local(self, name: str) -> bool:
        """Returns whether each thread has its own copy of a global with this name."""
        entity = self.entities.get(name)
        return entity is not None and not entity.is_function and _THREAD_LOCAL.match(self.of(entity)) is not None

    def values(self, entity: Entity) -> set[str]:
        """Returns the symbols that a function uses as values: its references without the callees of direct calls."""
        return {unquoted(name) for name in _VALUE.findall(self.of(entity))} - {entity.name}

    def calls(self, entity: Entity, word: str) -> Iterator[tuple[str, str]]:
        """Yields (callee, rest of the line) for each direct call of a function with `word` in its name."""
        for found in _CALL.finditer(self.of(entity)):
            if word in found["callee"]:
                yield unquoted(found["callee"]), found["arguments"]


def scan(text: str) -> Iterator[Entity]:
    """Yields the functions and globals of a module in the order of its text."""
    found = _TOP_LEVEL.match(text) or _NEXT_TOP_LEVEL.search(text)
    while found is not None:
        start = found.start() + text.startswith("\n", found.start())
        kind = found["kind"]
        end = text.find("\n}\n", start) + 3 if kind == "define" else text.find("\n", start) + 1
        end = end if end > start else len(text)
        defined = kind == "define" or (kind is None and not _DECLARED_GLOBAL.match(text, found.end()))
        name = unquoted(found["function"] or found["global"])
        yield Entity(name, kind is not None, defined, start, end)
        found = _NEXT_TOP_LEVEL.search(text, end - 1)
