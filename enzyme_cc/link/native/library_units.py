"""The link of a shared library with bitcode: the library carries its units, for derivatives of programs that use it.

Native code and derivatives work on the same variables. So local and hidden symbols that such a derivative must name get
second names, which the library exports:

- variables that change;
- functions whose address is taken: pointers to them lead to the native function;
- hidden functions and variables: other units of the library name them.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Collection, Iterable
from functools import cached_property

from msgspec import Struct

from enzyme_cc.link.command.command import LinkCommand
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs import carried_units, elf
from enzyme_cc.link.inputs import library_search as search
from enzyme_cc.link.inputs.carried_units import CarriedUnit
from enzyme_cc.link.inputs.taken_addresses import taken_addresses
from enzyme_cc.link.inputs.units import Unit
from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.report.spelling import ENDING

_LABEL = re.compile(r"(?P<open>\{\s*)(?P<label>global\s*:|local\s*:)?")
_COMMENT = re.compile(r"/\*.*?\*/|#[^\n]*", re.DOTALL)


class LibraryUnits(Struct, frozen=True, dict=True):
    """The units that a shared library will carry.

    `output` is its path. `are_hidden`: a version script may hide any symbol.
    """

    units: tuple[Unit, ...]
    output: str
    are_hidden: bool

    @classmethod
    def of(cls, units: Iterable[Unit], replaced: Collection[Unit], command: LinkCommand) -> LibraryUnits:
        """Returns those of a library's units that can be carried. `replaced`: units whose native code is not linked."""
        found = tuple(unit for unit in units if unit not in replaced and _can_be_carried(unit))
        return cls(found, command.output, command.has(Role.VERSIONS))

    @cached_property
    def names(self) -> dict[Unit, dict[str, str]]:
        """The second names of local and hidden symbols, by unit."""
        library = os.path.basename(self.output)
        made = ((u, self._second_names(u, f"{library} {k} {u.label}")) for k, u in enumerate(self.units))
        return {unit: names for unit, names in made if names}

    def _second_names(self, unit: Unit, place: str) -> dict[str, str]:
        """Returns the second names of a unit's symbols. `place`, the library and the unit, tells them from others."""
        file = unit.file
        assert file is not None
        taken = taken_addresses(file)
        ending = f"{ENDING}{zlib.crc32(place.encode('utf-8', 'surrogateescape'))}"
        strong = (s for s in file.symbols if s.is_defined and s.binding == elf.BIND_GLOBAL and not s.is_common)
        hidden = (s for s in strong if s.is_hidden or self.are_hidden)
        local = (s for s in file.locals.values() if s.name in taken or _changes(file, s))
        return {s.name: s.name + ending for s in (*local, *hidden) if not file.is_shared_by_objects(s)}

    @cached_property
    def section(self) -> bytes:
        """The contents of the library's section."""
        data = {unit: elf.without_debug_information(unit.data) for unit in self.units}  # bitcode has its own
        return carried_units.packed(CarriedUnit(u.label, data[u], self.names.get(u, {})) for u in self.units)

    @cached_property
    def identity(self) -> str:
        """The symbol that the library exports beside the second names."""
        return carried_units.identity(self.section)

    def new_object(self) -> bytes:
        """Returns the object with the section and the symbol that tells the library from others."""
        file = self.units[0].file
        assert file is not None
        return elf.with_section(carried_units.SECTION, self.section, self.identity, file.machine)

    def scripts(self, command: LinkCommand, scratch: Scratch) -> dict[int, tuple[str, ...]]:
        """Returns new tokens for version scripts, by item: the new symbols are visible to others, too."""
        names = [self.identity, *(name for names in self.names.values() for name in names.values())]
        places = search.SearchPath.of(command)
        found: dict[int, tuple[str, ...]] = {}
        for i, item in enumerate(command.items):
            if item.role is Role.VERSIONS:
                text = _read(places.script(item.value) or item.value)
                made = scratch.write("versions", _with_names(text, names).encode("utf-8", "surrogateescape"))
                found[i] = (f"--version-script={made}",)
        return found


def _can_be_carried(unit: Unit) -> bool:
    return len(unit.modules) == 1 and unit.raw is None and unit.carrier is None and not unit.requests


def _changes(file: elf.Elf, symbol: elf.Symbol) -> bool:
    return symbol.type == elf.TYPE_TLS or (symbol.type == elf.TYPE_OBJECT and file.is_written(symbol))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""  # the native linker reports the missing file


def _with_names(script: str, names: Iterable[str]) -> str:
    """Returns a version script that makes further names visible, in its first version."""
    listed = "".join(f"{name}; " for name in names)

    def first(found: re.Match[str]) -> str:
        is_global = (found["label"] or "").startswith("global")
        label = found["label"] or ""
        return f"{found['open']}{label if is_global else 'global:'} {listed}{'' if is_global else label}"

    return _LABEL.sub(first, _COMMENT.sub(" ", script), count=1)
