"""Edits the command line for the final link: the new object replaces the participants, other items are unchanged."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from enzyme_cc.link.inputs import archive, bitcode, elf
from enzyme_cc.link.inputs.units import Linked, Unit, read_file, read_members
from enzyme_cc.link.native.prepare_inputs import Prepared, defined_names
from enzyme_cc.link.participants.native_parts import with_functions_that_give_way, with_weak_copies
from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.rules.library_functions import WRAPPER


class FinalLink(Struct, frozen=True, dict=True):
    """The data of the final link: everything that the trial linked, and the units that the new object replaces.

    `shared` are further names of local symbols, by unit: the new object refers to these. `exported` are those that
    derivatives of programs that use the output refer to (library_units.py). `again` are functions that
    give way to the new object's, by unit. `undefined` are all symbols that the new object refers to.
    """

    prepared: Prepared
    linked: Linked
    scratch: Scratch
    merged: Collection[Unit] = ()
    shared: Mapping[Unit, Mapping[str, str]] = field(default_factory=dict)
    again: Mapping[Unit, frozenset[str]] = field(default_factory=dict)
    undefined: Collection[str] = ()
    exported: Mapping[Unit, Mapping[str, str]] = field(default_factory=dict)

    def replacements(self, *new_objects: str) -> dict[int, tuple[str, ...]]:
        """Returns the new tokens of the items that change, by index.

        - The new object takes the place of the first merged unit, or stands before the first one of which it has
          functions.
        - Merged objects are left out.
        - Archives keep their place. The linker does not pull their merged members again: the new object comes first,
          and defines every symbol that others need of them. A whole archive is copied without them.
        - A file that would leak bitcode into the output is copied with these sections excluded.
        - A file with native code beside merged bitcode is copied with the merged definitions made weak.
        - A file whose local symbols are shared is copied with further names for them. The copy of an archive's member
          stands before the archive, so that the linker does not pull the member.
        - Before an archive of which the new object uses weak definitions, stands one of the linked members: others may
          define the same (templates), and what they need may be missing.
        """
        replaced: dict[int, tuple[str, ...]] = {}
        merged_files = {_real(unit.path) for unit in self.merged}
        copied_files = {_real(u.path) for u in self.linked.units if u not in self.merged and self._is_copied(u)}
        copied_files |= self._lends_weakly
        placed = False
        first_files = merged_files or {_real(unit.path) for unit in self.again}
        done: dict[tuple[str, bool], tuple[str, ...] | None] = {}
        for i, path in self.prepared.paths.items():
            real = _real(path)
            if real not in merged_files and real not in copied_files:
                continue
            state = self.prepared.command.items[i].state
            whole = state is not None and state.whole_archive
            if (real, whole) not in done:
                done[real, whole] = self._tokens(path, whole)
            tokens = done[real, whole]
            if real in first_files and not placed:
                tokens = (*new_objects, *(self.prepared.command.items[i].tokens if tokens is None else tokens))
                placed = True
            if tokens is not None:
                replaced[i] = tokens
        if not placed:  # a linker script lists the archives of all merged units
            first, item = next(self.prepared.command.inputs)
            replaced[first] = (*new_objects, *replaced.get(first, item.tokens))
        return replaced

    @property
    def _missing(self) -> set[str]:
        """The functions that derivatives call and the program does not link."""
        missing = set(self.undefined) - self.linked.definers.keys()
        return missing.difference(*(library.defined for library in self.linked.shared))

    def first_options(self) -> tuple[str, ...]:
        """Returns the option to link what a library needs that wraps functions which derivatives call."""
        wrapped = {WRAPPER + name for name in self._missing}
        wraps = any(not wrapped.isdisjoint(library.defined) for library in self.linked.shared)
        return ("--copy-dt-needed-entries",) if wraps else ()

    def further_libraries(self) -> tuple[str, ...]:
        """Returns options that link libm if derivatives call functions that the program does not link."""
        return ("--as-needed", "-lm") if self._missing else ()

    def _tokens(self, path: str, whole: bool) -> tuple[str, ...] | None:
        """Returns the files to link in the place of an input. None if the input itself is linked."""
        units = {unit.index: unit for unit in self.linked.units if _real(unit.path) == _real(path)}
        parts = self._parts
        dropped = {index for index, unit in units.items() if unit in self.merged and unit not in parts}
        copied = {index for index, unit in units.items() if self._is_copied(unit) or unit in parts} - dropped
        changed = {index: self._changed(units[index]) for index in copied}
        if None in dropped:
            return ()
        data = read_file(path)
        if not archive.is_archive(data):
            return (self._write(path, changed[None]),) if None in changed else None
        is_lender = not whole and _real(path) in self._lends_weakly
        if not (changed or is_lender or (whole and dropped)):
            return None
        is_plain = not whole and all(self._is_changed(units[i]) and not units[i].leaks_bitcode for i in changed)
        if is_lender:
            members = [member for member in read_members(data, path) if member.index in units.keys() - dropped]
            rest = path if is_plain else self._write(path, _rebuilt(read_members(data, path), changed, path))
            return self._write(path, _rebuilt(members, changed, path)), rest
        if is_plain:
            return (
                *(self._write(f"{os.path.basename(path)}.{index}.o", data) for index, data in changed.items()),
                path,
            )
        members = [member for member in read_members(data, path) if not (whole and member.index in dropped)]
        return (self._write(path, _rebuilt(members, changed, path)),) if members else ()

    @cached_property
    def _lends_weakly(self) -> frozenset[str]:
        """The archives of which the new object uses weak definitions."""
        definers = {name: unit for name in self.undefined if (unit := self.linked.definers.get(name)) is not None}
        units = {unit for unit in definers.values() if unit.index is not None and unit.raw is None}
        weak = {(unit, s.name) for unit in units for s in unit.symbols if s.is_weak and s.is_defined}
        return frozenset(_real(unit.path) for name, unit in definers.items() if (unit, name) in weak)

    @property
    def _parts(self) -> dict[Unit, frozenset[str]]:
        return {unit: names for unit, names in self.linked.native_parts.items() if unit in self.merged}

    def _is_copied(self, unit: Unit) -> bool:
        return unit.leaks_bitcode or self._is_changed(unit)

    def _is_changed(self, unit: Unit) -> bool:
        return unit in self.shared or unit in self.again or unit in self.exported

    def _changed(self, unit: Unit) -> bytes:
        native = self._parts.get(unit)
        data = unit.data if native is None else with_weak_copies(unit, native)
        if unit in self.again:
            data = with_functions_that_give_way(data, self.again[unit])
        if unit in self.shared:
            data = elf.with_global_names(data, self.shared[unit])
        if unit in self.exported:
            data = elf.with_global_names(data, self.exported[unit], exported=True)
        return elf.excluded(data, bitcode.EXCLUDED_SECTIONS)

    def _write(self, path: str, data: bytes) -> str:
        return self.scratch.write(os.path.basename(path), data)


def _rebuilt(members: Sequence[archive.Member], changed: Mapping[int | None, bytes], path: str) -> bytes:
    made = [(os.path.basename(m.name), changed.get(m.index, m.data)) for m in members]
    return archive.write([(name, data, defined_names(data, path)) for name, data in made])


def undefined(new_object: bytes) -> frozenset[str]:
    """Returns the symbols that an object refers to."""
    return frozenset(symbol.name for symbol in elf.read(new_object).symbols if not symbol.is_defined)


def wraps(new_object: bytes) -> tuple[str, ...]:
    """Returns the options by which the linker sends the program's calls of library functions to an object."""
    symbols = elf.read(new_object).symbols
    defined = {s.name.removeprefix("__wrap_") for s in symbols if s.is_defined and s.name.startswith("__wrap_")}
    real = {s.name.removeprefix("__real_") for s in symbols if not s.is_defined and s.name.startswith("__real_")}
    return tuple(f"--wrap={name}" for name in sorted(defined | real))


def _real(path: str) -> str:
    return os.path.realpath(path)
