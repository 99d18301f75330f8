"""Reads the text of an LLVM module as a graph: what it defines and declares, and what each definition refers to.

Only names are looked at. That is enough to follow references between units, and costs one pass of a regular
expression over the text; nothing of an instruction is understood here but whether a name stands where a call's callee
stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

NAME = r'(?:"[^"\n]*"|[-\w.$]+)'

_TOP_LEVEL = re.compile(rf"^(?:(?P<kind>define|declare)\b[^\n@]*@(?P<function>{NAME})\(|@(?P<global>{NAME}) = )", re.M)
_REFERENCE = re.compile(rf"@({NAME})")
_CALLEE = re.compile(rf"\b(?:call|invoke|callbr)\b[^\n@]*@({NAME})\(")
_CALL = re.compile(rf"\b(?:call|invoke)\b[^\n@]*@(?P<callee>{NAME})\((?P<arguments>[^\n]*)")
_ESCAPE = re.compile(r"\\(\\|[0-9A-Fa-f]{2})")
_DECLARED_GLOBAL = re.compile(r"(?:external|extern_weak)\b")


def unquoted(name: str) -> str:
    """Return the symbol that a name of LLVM's text form stands for."""
    if not name.startswith('"'):
        return name
    plain = _ESCAPE.sub(lambda escape: "\\" if escape[1] == "\\" else chr(int(escape[1], 16)), name[1:-1])
    return plain.encode("latin-1", "replace").decode("utf-8", "surrogateescape").removeprefix("\x01")


def quoted(symbol: str) -> str:
    """Return the symbol as LLVM's text form writes it after `@`."""
    if re.fullmatch(r"[-\w.$]+", symbol, re.ASCII) and not symbol[0].isdigit():
        return symbol
    encoded = symbol.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in encoded) + '"'


@dataclass(frozen=True)
class Entity:
    """A function, variable, alias or ifunc of a module: its text is `text[start:end]` of the module's."""

    name: str
    is_function: bool
    is_definition: bool
    start: int
    end: int


@dataclass(frozen=True)
class ModuleText:
    """The text of a module."""

    text: str

    @cached_property
    def entities(self) -> dict[str, Entity]:
        """All functions and globals by symbol name."""
        return {entity.name: entity for entity in scan(self.text)}

    def of(self, entity: Entity) -> str:
        """Return the text of an entity."""
        return self.text[entity.start : entity.end]

    def references(self, entity: Entity) -> set[str]:
        """Return the symbols of functions and globals that an entity's text names, without its own."""
        return {unquoted(name) for name in _REFERENCE.findall(self.of(entity))} - {entity.name}

    def ordered_references(self, entity: Entity) -> list[str]:
        """Return the symbols of `references`, each once, in the order of the text."""
        names = dict.fromkeys(unquoted(name) for name in _REFERENCE.findall(self.of(entity)))
        return [name for name in names if name != entity.name]

    def values(self, entity: Entity) -> set[str]:
        """Return the symbols that a function names as values: its references but for callees of direct calls."""
        text = self.of(entity)
        callees = [found.span(1) for found in _CALLEE.finditer(text)]
        without = _without_spans(text, callees)
        return {unquoted(name) for name in _REFERENCE.findall(without)} - {entity.name}

    def calls(self, entity: Entity, word: str) -> Iterator[tuple[str, str]]:
        """Yield callee and arguments (to the end of the line) of direct calls of functions whose name has `word`."""
        for found in _CALL.finditer(self.of(entity)):
            if word in found["callee"]:
                yield unquoted(found["callee"]), found["arguments"]


def scan(text: str) -> Iterator[Entity]:
    """Yield the functions and globals of a module in the order of its text."""
    position = 0
    while (found := _TOP_LEVEL.search(text, position)) is not None:
        start = found.start()
        kind = found["kind"]
        end = text.find("\n}\n", start) + 3 if kind == "define" else text.find("\n", start) + 1
        end = end if end > start else len(text)
        defined = kind == "define" or (kind is None and not _DECLARED_GLOBAL.match(text, found.end()))
        name = unquoted(found["function"] or found["global"])
        yield Entity(name, kind is not None, defined, start, end)
        position = end


def _without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    pieces, position = [], 0
    for start, end in spans:
        pieces.append(text[position : start - 1])
        position = end
    return "".join([*pieces, text[position:]])
