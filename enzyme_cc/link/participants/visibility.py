"""Decides which symbols of the merged module stay visible, because something else may refer to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs import library_search as search
from enzyme_cc.link.inputs.elf import Elf
from enzyme_cc.link.inputs.units import Linked, Unit

# Start-up code, the linker and our runtime look for these, though no object names them.
_ALWAYS = frozenset({"main", "_start", "_init", "_fini", "__start", "_end", "_edata", "enzyme_tape_released"})
_NAMES_SYMBOLS = (Role.ENTRY, Role.WRAP)
# In a version script: all symbols are local that it does not name, and what may stand for many names.
_ALL_LOCAL = re.compile(r"\blocal\s*:\s*\*\s*;")
_PATTERN = re.compile(r"[*?\[]|\bextern\b")
_COMMENT = re.compile(r"/\*.*?\*/|#[^\n]*", re.DOTALL)


class Visibility(Struct, frozen=True):
    """The symbols that something besides the merged module may refer to.

    These are symbols that native units, options and linker scripts name, and symbols of shared libraries: a definition
    in an executable takes the place of a library's. If the link exports symbols, these are all symbols, unless a
    version script names each that others may see.
    """

    named: frozenset[str]
    libraries: tuple[Elf, ...]
    exports: bool

    @classmethod
    def of(cls, command: LinkCommand, linked: Linked) -> Visibility:
        """Returns the symbols that options, linker scripts and shared libraries refer to."""
        versions = list(_scripts(command, Role.VERSIONS))
        scripts = [*linked.scripts, *_scripts(command, Role.SCRIPT), *versions]
        named = _ALWAYS | _named_by_options(command) | {word for text in scripts for word in search.words(text)}
        libraries = tuple(library.file for library in linked.shared)
        exports = command.has(Role.SHARED, Role.VERSIONS) and not any(map(_names_all, versions))
        return cls(frozenset(named), libraries, exports or command.has(Role.EXPORT))

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


def _scripts(command: LinkCommand, role: Role) -> Iterator[str]:
    """Yields the texts of the scripts that options name."""
    places = search.SearchPath.of(command)
    for name in command.values(role):
        try:
            with open(places.script(name) or name, encoding="utf-8", errors="surrogateescape") as file:
                yield file.read()
        except OSError:
            continue  # the native linker reports the missing file


def _names_all(script: str) -> bool:
    """Returns whether a version script has the names of all symbols that others may see."""
    text = _COMMENT.sub(" ", script)
    return bool(_ALL_LOCAL.search(text)) and not _PATTERN.search(_ALL_LOCAL.sub(" ", text))
