"""The units of a link: objects and archive members, each with its identity, its symbols and its bitcode.

The identity of a member is (archive, index). A name would not do: a library may hold several members of one name, and
several archives may hold the same unit.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.link.inputs import archive, bitcode, elf
from enzyme_cc.report import EnzymeError

# The names of all request functions contain this.
REQUEST = "__enzyme_"


class Carrier(Struct, frozen=True):
    """The shared library that carries a unit.

    `names` are the second names of local and hidden symbols of the unit, and `hidden` those of hidden ones of all its
    units. `exported` are the symbols that the library exports. `identity` is the one that changes with the units.
    """

    path: str
    identity: str
    names: Mapping[str, str]
    hidden: Mapping[str, str]
    exported: frozenset[str]


class Unit(Struct, frozen=True, eq=False, dict=True):
    """One object of the link.

    `path` is the file, `index` the member's index in an archive, and `label` its name in diagnostics. `raw` is set if
    the input is bitcode without native code: then `data` is a native object that was made from it. Bitcode may hold the
    module before optimisation as a constant (`-flto -Xclang -fembed-bitcode=all`), and then this object holds it, too.
    `carrier` is set for a unit of a shared library: its native code is linked already.
    """

    path: str
    index: int | None
    label: str
    data: memoryview
    raw: bytes | None = None
    carrier: Carrier | None = None

    @cached_property
    def file(self) -> elf.Elf | None:
        """The object as ELF. None if it has another format. Raises `EnzymeError` (EZ0101)."""
        if not elf.is_supported(self.data):
            return None
        try:
            return elf.read(self.data)
        except elf.ElfError as error:
            raise EnzymeError.of("EZ0101", f"{self.label} is a corrupt object: {error}") from None

    @cached_property
    def command(self) -> list[str]:
        """The words of the command that compiled the unit, as clang's front end records them; empty if it has none."""
        sections = [s for name in bitcode.COMMAND_SECTIONS for s in self.file.named(name)] if self.file else []
        texts = (bytes(self.file.contents(section)) for section in sections if self.file)
        return [word.decode(errors="replace") for text in texts for word in text.split(b"\0")]

    @cached_property
    def symbols(self) -> tuple[elf.Symbol, ...]:
        """The global symbols, defined and undefined. Raises `EnzymeError` (EZ0101)."""
        if self.file is None:
            return ()
        try:
            return self.file.symbols
        except elf.ElfError as error:
            raise EnzymeError.of("EZ0101", f"{self.label} is a corrupt object: {error}") from None

    @cached_property
    def modules(self) -> tuple[bytes, ...]:
        """The bitcode modules; empty if the unit has native code only. Raises `EnzymeError` (EZ0103)."""
        try:
            embedded = bitcode.in_object(self.file) if self.file is not None else ()
            return embedded if embedded or self.raw is None else bitcode.split(self.raw)
        except bitcode.BitcodeError as error:
            raise EnzymeError.of("EZ0103", f"{self.label} carries corrupt bitcode: {error}") from None

    @property
    def is_proved(self) -> bool:
        """True if the bitcode is as the compiler wrote it: `modules` has compared it with a checksum."""
        return self.raw is None and self.file is not None and bitcode.is_stamped(self.file)

    @cached_property
    def is_unoptimised(self) -> bool:
        """True if the bitcode is as clang's front end made it: then the compiler's command is recorded beside it.

        The record must not be empty: rustc writes an empty one beside bitcode that it has optimised.
        """
        sections = self.file.sections if self.file is not None else ()
        return any(s.name in bitcode.COMMAND_SECTIONS and s.size > 0 for s in sections)

    @cached_property
    def leaks_bitcode(self) -> bool:
        """True if the linker would copy the unit's bitcode sections into its output."""
        sections = self.file.sections if self.file is not None else ()
        return any(s.name in bitcode.EXCLUDED_SECTIONS and not s.flags & elf.FLAG_EXCLUDE for s in sections)

    @cached_property
    def requests(self) -> tuple[str, ...]:
        """The symbols of the unit's requests and declarations (`__enzyme_…`)."""
        return tuple(symbol.name for symbol in self.symbols if REQUEST in symbol.name)


class SharedLibrary(Struct, frozen=True, eq=False, dict=True):
    """A shared library of the link."""

    path: str
    file: elf.Elf

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that the library defines."""
        return frozenset(symbol.name for symbol in self.file.symbols if symbol.is_defined)


# A function or variable of a link: the unit that defines it, and its name there.
Definition = tuple[Unit, str]


class Linked(Struct, frozen=True, dict=True):
    """Everything that the native linker links, in its order. Behind it, the units that shared libraries carry.

    `scripts` are the texts of linker scripts among the inputs. `wraps` are the symbols of `--wrap`. `native_parts` are
    the units with native code beside their bitcode, each with the symbols that only the native code defines.
    """

    units: tuple[Unit, ...]
    shared: tuple[SharedLibrary, ...]
    scripts: tuple[str, ...]
    wraps: tuple[str, ...] = ()
    native_parts: Mapping[Unit, frozenset[str]] = field(default_factory=dict)

    def target(self, name: str) -> str:
        """Returns the symbol that an undefined reference to `name` means under `--wrap`."""
        if name in self.wraps:
            return f"__wrap_{name}"
        real = name.removeprefix("__real_")
        return real if real in self.wraps else name

    @cached_property
    def without_carried(self) -> Linked:
        """What the native linker links itself."""
        own = tuple(unit for unit in self.units if unit.carrier is None)
        return self if len(own) == len(self.units) else replace(self, units=own)

    @cached_property
    def definers(self) -> dict[str, Unit]:
        """The unit with the definition of a symbol that prevails: a strong one, else a common one, else a weak one."""
        best: dict[str, tuple[int, Unit]] = {}
        for unit in self.units:
            for symbol in unit.symbols:
                if symbol.is_defined:
                    rank = 2 if symbol.is_weak else int(symbol.is_common)
                    if symbol.name not in best or rank < best[symbol.name][0]:
                        best[symbol.name] = (rank, unit)
        return {name: unit for name, (_, unit) in best.items()}

    def provenance(self, symbol: str) -> str | None:
        """Returns what defines `symbol` without bitcode: an object, a member or a shared library. None if none does."""
        unit = self.definers.get(symbol)
        if unit is not None:
            return None if unit.modules and symbol not in self.native_parts.get(unit, ()) else unit.label
        return next((library.path for library in self.shared if symbol in library.defined), None)

    def has_bitcode(self, symbol: str) -> bool:
        """Returns whether a unit defines `symbol` with bitcode."""
        return symbol in self.definers and self.provenance(symbol) is None


_files: dict[str, memoryview] = {}


def read_file(path: str) -> memoryview:
    """Returns the bytes of an input, mapped. Raises `EnzymeError` (EZ0104)."""
    if path not in _files:
        _files[path] = _mapped(path)
    return _files[path]


def files_read() -> tuple[str, ...]:
    """Returns the inputs that this process has read."""
    return tuple(_files)


def _mapped(path: str) -> memoryview:
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return memoryview(b"")
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise EnzymeError.of("EZ0104", f"cannot read {path}", reason=reason) from None


def read_members(data: memoryview, path: str) -> tuple[archive.Member, ...]:
    """Returns the members of an archive with their bytes, also if the archive is thin.

    Raises `EnzymeError` (EZ0102, EZ0104).
    """
    try:
        members = archive.read(data, path)
    except archive.ArchiveError as error:
        raise EnzymeError.of("EZ0102", f"{path} is a corrupt archive: {error}") from None
    return tuple(_filled(member) for member in members)


def _filled(member: archive.Member) -> archive.Member:
    if member.path is None:
        return member
    data = read_file(member.path)
    if member.origin is None:
        return replace(member, data=data)
    held = next((inner for inner in read_members(data, member.path) if inner.header == member.origin), None)
    if held is None:
        raise EnzymeError.of("EZ0102", f"{member.path} has no member at offset {member.origin}, as an archive says")
    return replace(member, name=held.name, data=held.data, path=held.path or member.path)


def member_label(path: str, name: str) -> str:
    """Returns the name of an archive member in diagnostics."""
    return f"{path}({os.path.basename(name)})"


def has_duplicates(names: Sequence[str]) -> bool:
    """True if a name occurs more than once."""
    return len(set(names)) < len(names)
