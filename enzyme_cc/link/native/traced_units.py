"""Makes units and shared libraries of the files that the native linker traced."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.command.linker_options import Role
from enzyme_cc.link.inputs import archive, bitcode, carried_units, elf
from enzyme_cc.link.inputs.units import Carrier, Linked, SharedLibrary, Unit, member_label, read_file, read_members
from enzyme_cc.link.native.prepare_inputs import Copy, Prepared
from enzyme_cc.link.native.run_linker import Traced
from enzyme_cc.report import EnzymeError


def collect(traced: Iterable[Traced], prepared: Prepared) -> Linked:
    """Returns the units and libraries among the traced files. Raises `EnzymeError` for inputs that cannot be read."""
    reader = _TraceReader(prepared)
    units: dict[tuple[str, int | None], Unit] = {}
    shared: dict[str, SharedLibrary] = {}
    for entry in traced:
        for found in reader.read(entry):
            if isinstance(found, Unit):
                units.setdefault((found.path, found.index), found)
            else:
                shared.setdefault(found.path, found)
    wraps = tuple(prepared.command.values(Role.WRAP))
    linked = Linked(tuple(units.values()), tuple(shared.values()), prepared.scripts, wraps)
    return replace(linked, units=(*linked.units, *_carried(linked)))


class Unlinked(Struct, dict=True):
    """Finds archive members that the trial link did not take, by the symbols that they define."""

    prepared: Prepared
    units: dict[tuple[str, int], Unit | None] = field(default_factory=dict)

    def find(self, symbol: str) -> Unit | None:
        """Returns the first member of the link's archives that defines `symbol`, if it carries bitcode."""
        for path, offsets in self._indices.items():
            if symbol in offsets:
                return self._unit(path, offsets[symbol])
        return None

    @cached_property
    def _indices(self) -> dict[str, dict[str, int]]:
        paths = [path for path in dict.fromkeys(self.prepared.paths.values()) if archive.is_archive(read_file(path))]
        return {path: archive.index(read_file(path)) for path in paths}

    def _unit(self, path: str, header: int) -> Unit | None:
        if (path, header) not in self.units:
            member = next((m for m in read_members(read_file(path), path) if m.header == header), None)
            unit = member and Unit(path, member.index, member_label(path, member.name), member.data)
            self.units[path, header] = unit if unit and unit.modules else None
        return self.units[path, header]


class _Archive(Struct, frozen=True):
    """An archive and its members, by every name that a linker prints for them."""

    original: str
    members: dict[str, list[archive.Member]]
    copy: Copy | None


class _TraceReader(Struct):
    prepared: Prepared
    archives: dict[str, _Archive] = field(default_factory=dict)
    thin_members: dict[str, tuple[str, archive.Member]] | None = None

    def read(self, entry: Traced) -> Iterable[Unit | SharedLibrary]:
        """Returns the units or the shared library in a traced file. Empty for other files."""
        if entry.member is not None:
            return self._members(entry.path, entry.member)
        data = read_file(entry.path)
        copy = self.prepared.copies.get(entry.path)
        raw = dict(copy.raw).get(None) if copy is not None else None
        if copy is not None and raw is not None:
            return [Unit(copy.original, None, copy.original, data, raw)]
        if not elf.is_elf(data):
            return []
        if elf.is_supported(data) and data[16] == elf.TYPE_SHARED:
            return [SharedLibrary(entry.path, _read_shared(data, entry.path))]
        return [self._thin_member(entry.path, data) or Unit(entry.path, None, entry.path, data)]

    def _members(self, path: str, name: str) -> Iterable[Unit]:
        found = self._archive(path)
        for member in found.members.get(os.path.normpath(name), []):
            raw = dict(found.copy.raw).get(member.index) if found.copy else None
            original = found.copy.names[member.index] if found.copy else member.name
            yield Unit(found.original, member.index, member_label(found.original, original), member.data, raw)

    def _archive(self, path: str) -> _Archive:
        if path not in self.archives:
            copy = self.prepared.copies.get(path)
            members: dict[str, list[archive.Member]] = {}
            for member in read_members(read_file(path), path):
                for name in {member.name, member.path or member.name}:
                    members.setdefault(os.path.normpath(name), []).append(member)
            self.archives[path] = _Archive(copy.original if copy else path, members, copy)
        return self.archives[path]

    def _thin_member(self, path: str, data: memoryview) -> Unit | None:
        """Returns the member of a thin archive that a path means: GNU ld prints only the path. None for other paths."""
        if self.thin_members is None:
            self.thin_members = dict(self._all_thin_members())
        if os.path.realpath(path) in self._named_inputs():
            return None
        found = self.thin_members.get(os.path.realpath(path))
        if found is None:
            return None
        holder, member = found
        raw = bytes(data) if bitcode.is_bitcode(data) else None
        return Unit(holder, member.index, member_label(holder, member.name), data, raw)

    def _all_thin_members(self) -> Iterable[tuple[str, tuple[str, archive.Member]]]:
        for path in dict.fromkeys(self.prepared.paths.values()):
            data = read_file(path)
            if archive.is_thin(data):
                for member in read_members(data, path):
                    yield os.path.realpath(member.path or ""), (path, member)

    def _named_inputs(self) -> set[str]:
        return {os.path.realpath(path) for path in self.prepared.paths.values()}


def _read_shared(data: memoryview, path: str) -> elf.Elf:
    try:
        return elf.read(data)
    except elf.ElfError as error:
        raise EnzymeError.of("EZ0101", f"{path} is a corrupt shared library: {error}") from None


def _carried(linked: Linked) -> list[Unit]:
    """Returns the units that shared libraries carry, and that the program would link if these were archives.

    A symbol that others define, too, may mean another definition there than here: then a library's units are left out.
    """
    libraries = [units for library in linked.shared if (units := _units_of(library))]
    if not libraries:
        return []
    defined = {name for unit in linked.units for name in _strong(unit)}
    found: list[Unit] = []
    for units in libraries:
        names = {name for unit in units for name in _strong(unit)}
        if defined.isdisjoint(names):
            defined |= names
            found += units
    definers = replace(linked, units=tuple(found)).definers
    needed = reachable(linked.units, lambda unit: _needed(unit, definers))
    return [unit for unit in needed if unit.carrier is not None]


def _needed(unit: Unit, definers: Mapping[str, Unit]) -> list[Unit]:
    return [definers[symbol.name] for symbol in unit.symbols if not symbol.is_defined and symbol.name in definers]


def _units_of(library: SharedLibrary) -> tuple[Unit, ...]:
    try:
        found = carried_units.in_library(library.file)
    except carried_units.CarriedError as error:
        raise EnzymeError.of("EZ0101", f"{library.path} is a corrupt shared library: {error}") from None
    if not found:
        return ()
    identity = next((name for name in library.defined if name.startswith(carried_units.IDENTITY)), None)
    if identity is None:
        return ()
    units = [
        Unit(library.path, k, member_label(library.path, u.label), memoryview(u.data)) for k, u in enumerate(found)
    ]
    pairs = zip(units, found, strict=True)
    named = {name: u.names[name] for unit, u in pairs for name in _strong(unit) & u.names.keys()}
    hidden = {name: second for name, second in named.items() if name not in library.defined}
    carriers = (Carrier(library.path, identity, u.names, hidden, library.defined) for u in found)
    return tuple(replace(unit, carrier=carrier) for unit, carrier in zip(units, carriers, strict=True))


def _strong(unit: Unit) -> set[str]:
    return {symbol.name for symbol in unit.symbols if symbol.is_defined and not (symbol.is_weak or symbol.is_common)}
