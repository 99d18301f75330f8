"""Decides which symbols of the merged module stay visible, because something else may refer to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs import library_search as search
from enzyme_cc.link.inputs.elf import Elf
from enzyme_cc.link.inputs.units import Linked, Unit

# Start-up code, the linker and our runtime look for these, though no object names them.
_ALWAYS = frozenset({"main", "_start", "_init", "_fini", "__start", "_end", "_edata", "enzyme_tape_released"})
_NAMES_SYMBOLS = (Role.ENTRY, Role.WRAP)


@dataclass(frozen=True)
class Visibility:
    """The symbols that something besides the merged module may refer to.

    These are symbols that native units, options and linker scripts name, and symbols of shared libraries: a definition
    in an executable takes the place of a library's. If the link exports symbols, these are all symbols.
    """

    named: frozenset[str]
    libraries: tuple[Elf, ...]
    exports: bool

    @classmethod
    def of(cls, command: LinkCommand, linked: Linked) -> Visibility:
        """Returns the symbols that options, linker scripts and shared libraries refer to."""
        named = _ALWAYS | _named_by_options(command) | _named_by_scripts(command, linked)
        libraries = tuple(library.file for library in linked.shared)
        return cls(frozenset(named), libraries, command.has(Role.SHARED, Role.EXPORT))

    def with_units(self, units: Iterable[Unit]) -> Visibility:
        """Returns the same, with the symbols of native units."""
        return replace(self, named=self.named.union(symbol.name for unit in units for symbol in unit.symbols))

    def is_kept(self, name: str, hidden: bool = False) -> bool:
        """True if the symbol must stay visible. `hidden` is true if it has hidden visibility."""
        if name in self.named:
            return True
        if hidden:
            return False
        key = name.encode("utf-8", "surrogateescape") + b"\0"
        return self.exports or any(key in library.strings and name in library.names for library in self.libraries)


def _named_by_options(command: LinkCommand) -> set[str]:
    names = {word for value in command.values(*_NAMES_SYMBOLS) for word in search.words(value)}
    wrapped = set(command.values(Role.WRAP))
    return names | {f"__wrap_{name}" for name in wrapped} | {f"__real_{name}" for name in wrapped}


def _named_by_scripts(command: LinkCommand, linked: Linked) -> set[str]:
    texts, places = list(linked.scripts), search.SearchPath.of(command)
    for name in command.values(Role.SCRIPT):
        try:
            with open(places.script(name) or name, encoding="utf-8", errors="surrogateescape") as file:
                texts.append(file.read())
        except OSError:
            continue  # the native linker reports the missing file
    return {word for text in texts for word in search.words(text)}
