"""Reads sections, symbols and relocations of 64-bit little-endian ELF files, and changes flags and bindings in them.

It uses `struct`: a link reads hundreds of symbol tables, and this is done before pyelftools would be imported. The
tests compare the results with pyelftools. ELF files of another class are opaque native code.

Layout: the file header holds the offset of an array of section headers. A section header holds a name (an offset into
one string section), a type, flags, and the place of the contents. A symbol table is an array of 24-byte entries. Their
names are in the string section that the table links to.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

MAGIC = b"\x7fELF"
TYPE_RELOCATABLE, TYPE_EXECUTABLE, TYPE_SHARED = 1, 2, 3
_SECTION_PROGBITS, _SECTION_STRTAB = 1, 3
SECTION_SYMTAB, SECTION_RELA, SECTION_NOBITS, SECTION_DYNSYM, SECTION_EXTENDED = 2, 4, 8, 11, 18
FLAG_WRITE, FLAG_ALLOC, FLAG_CODE, FLAG_GROUP, FLAG_TLS, FLAG_EXCLUDE = 0x1, 0x2, 0x4, 0x200, 0x400, 0x80000000
BIND_LOCAL, BIND_GLOBAL, BIND_WEAK, BIND_UNIQUE = 0, 1, 2, 10
TYPE_OBJECT, TYPE_FUNCTION, TYPE_SECTION, TYPE_TLS = 1, 2, 3, 6
_VISIBILITY_DEFAULT, _VISIBILITY_INTERNAL, _VISIBILITY_HIDDEN = 0, 1, 2
INDEX_UNDEFINED, INDEX_COMMON, INDEX_EXTENDED = 0, 0xFFF2, 0xFFFF

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_FLAGS_OFFSET, _CONTENTS_OFFSET, _INFO_OFFSET = 8, 24, 4
_PADDING = slice(9, 16)
_NO_STACK = ".note.GNU-stack"  # says that no code needs a stack that can be executed


class ElfError(ValueError):
    """The file contradicts itself; the message says how."""


class Section(Struct, frozen=True):
    """One section header; `header` is the offset of the header itself in the file."""

    name: str
    type: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    header: int


class Symbol(Struct, frozen=True):
    """One symbol of an object or shared library; `value` is its offset in the section with the index `section`."""

    name: str
    binding: int
    section: int
    type: int = 0
    value: int = 0
    size: int = 0
    visibility: int = _VISIBILITY_DEFAULT

    @property
    def is_hidden(self) -> bool:
        return self.visibility in (_VISIBILITY_INTERNAL, _VISIBILITY_HIDDEN)

    @property
    def is_defined(self) -> bool:
        return self.section != INDEX_UNDEFINED

    @property
    def is_weak(self) -> bool:
        return self.binding in (BIND_WEAK, BIND_UNIQUE)

    @property
    def is_common(self) -> bool:
        return self.section == INDEX_COMMON


class Elf(Struct, frozen=True, dict=True):
    """A 64-bit little-endian ELF file."""

    data: memoryview
    type: int
    machine: int
    sections: tuple[Section, ...]

    def contents(self, section: Section) -> memoryview:
        """Returns the bytes of a section."""
        return self.data[section.offset : section.offset + section.size]

    def named(self, name: str) -> Iterator[Section]:
        """Yields the sections of that name (relocatable files may hold several)."""
        return (section for section in self.sections if section.name == name)

    @property
    def padding(self) -> bytes:
        """The bytes of the file header that ELF does not use."""
        return bytes(self.data[_PADDING])

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols that are not local: of the dynamic table in a shared library, else of the static table."""
        table_type = SECTION_DYNSYM if self.type == TYPE_SHARED else SECTION_SYMTAB
        tables = (self.table(table) for table in self.sections if table.type == table_type)
        return tuple(symbol for table in tables for symbol in table if symbol.binding != BIND_LOCAL)

    @cached_property
    def functions(self) -> tuple[Symbol, ...]:
        """All functions that the file defines, with the local ones."""
        tables = (self.table(table) for table in self.sections if table.type == SECTION_SYMTAB)
        return tuple(s for table in tables for s in table if s.type == TYPE_FUNCTION and s.is_defined)

    @cached_property
    def locals(self) -> dict[str, Symbol]:
        """The local functions and variables that the file defines, without those of which several have one name."""
        kinds = (TYPE_OBJECT, TYPE_FUNCTION, TYPE_TLS)
        found: dict[str, list[Symbol]] = {}
        for table in self.sections:
            for symbol in self.table(table) if table.type == SECTION_SYMTAB else ():
                if symbol.binding == BIND_LOCAL and symbol.type in kinds and symbol.is_defined:
                    found.setdefault(symbol.name, []).append(symbol)
        return {name: symbols[0] for name, symbols in found.items() if len(symbols) == 1}

    def is_shared_by_objects(self, symbol: Symbol) -> bool:
        """True if the section of a symbol may give way to one of another object (COMDAT)."""
        return symbol.section < len(self.sections) and bool(self.sections[symbol.section].flags & FLAG_GROUP)

    def is_written(self, symbol: Symbol) -> bool:
        """True if the program may write to the section of a symbol that the file defines."""
        return symbol.section >= len(self.sections) or bool(self.sections[symbol.section].flags & FLAG_WRITE)

    def relocations(self, table: Section) -> Iterator[tuple[int, int, int, int]]:
        """Yields (place, type, index of the symbol, addend) of a section with relocations."""
        for place, info, addend in _RELOCATION.iter_unpack(self.contents(table)):
            yield place, info & 0xFFFFFFFF, info >> 32, addend

    def users(self, has_name: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
        """Yields (function, symbol) for each relocation in a function to a symbol that `has_name` accepts."""
        of_tables: dict[int, dict[int, str]] = {}  # an object of C++ has a section with relocations for each function
        for table in self.sections:
            if table.type == SECTION_RELA and table.link < len(self.sections):
                if table.link not in of_tables:
                    symbols = enumerate(self.table(self.sections[table.link]))
                    of_tables[table.link] = {i: symbol.name for i, symbol in symbols if has_name(symbol.name)}
                names = of_tables[table.link]
                for place, info, _ in _RELOCATION.iter_unpack(self.contents(table)) if names else ():
                    if info >> 32 in names:
                        yield from ((f.name, names[info >> 32]) for f in self._around(table.info, place))

    def _around(self, section: int, place: int) -> Iterator[Symbol]:
        return (f for f in self._functions_of.get(section, ()) if f.value <= place < f.value + f.size)

    @cached_property
    def _functions_of(self) -> dict[int, list[Symbol]]:
        """The functions by section."""
        found: dict[int, list[Symbol]] = {}
        for function in self.functions:
            found.setdefault(function.section, []).append(function)
        return found

    def table(self, table: Section) -> Iterator[Symbol]:
        """Yields the symbols of a table. In a file with very many sections, some section indices are INDEX_EXTENDED."""
        if table.link >= len(self.sections) or table.size % _SYMBOL.size:
            raise ElfError("its symbol table is damaged")
        names = bytes(self.contents(self.sections[table.link]))
        for name, info, other, section, value, size in _SYMBOL.iter_unpack(self.contents(table)):
            yield Symbol(_string(names, name), info >> 4, section, info & 0xF, value, size, other & 3)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the symbols that are not local."""
        return frozenset(symbol.name for symbol in self.symbols)

    @cached_property
    def strings(self) -> bytes:
        """The names of the dynamic symbols, each with a zero byte behind it. A name may be the end of a longer one."""
        return b"".join(bytes(self.contents(section)) for section in self.named(".dynstr"))


def is_elf(data: bytes | memoryview) -> bool:
    """True if the file starts as an ELF file does."""
    return bytes(data[:4]) == MAGIC


def is_supported(data: bytes | memoryview) -> bool:
    """True if `read` reads this class of ELF file (64-bit, little-endian)."""
    return is_elf(data) and bytes(data[4:6]) == b"\x02\x01"


def read(data: bytes | memoryview) -> Elf:
    """Returns the ELF file in `data`. Raises `ElfError` if its headers reach outside it."""
    view = memoryview(data)
    if len(view) < _HEADER.size:
        raise ElfError("its header is cut short")
    _, kind, machine, _, _, _, table, _, _, _, _, entry, count, names = _HEADER.unpack_from(view)
    if table == 0:
        return Elf(view, kind, machine, ())
    if entry != _SECTION.size:
        raise ElfError(f"its section headers are {entry} bytes long instead of {_SECTION.size}")
    rows = _rows(view, table, count)
    strings = _strings(view, rows, rows[0][6] if names == INDEX_EXTENDED else names)
    sections = tuple(_section(view, row, strings, table + i * _SECTION.size) for i, row in enumerate(rows))
    return Elf(view, kind, machine, sections)


def _rows(view: memoryview, table: int, count: int) -> list[tuple[int, ...]]:
    if table + _SECTION.size > len(view):
        raise ElfError("its section headers reach past its end")
    count = count or _SECTION.unpack_from(view, table)[5]
    end = table + count * _SECTION.size
    if count == 0 or end > len(view):
        raise ElfError("its section headers reach past its end")
    return list(_SECTION.iter_unpack(view[table:end]))


def _strings(view: memoryview, rows: list[tuple[int, ...]], index: int) -> bytes:
    if index >= len(rows):
        raise ElfError("its section name table is missing")
    start, size = rows[index][4:6]
    if start + size > len(view):
        raise ElfError("its section name table reaches past its end")
    return bytes(view[start : start + size])


def _section(view: memoryview, row: tuple[int, ...], strings: bytes, header: int) -> Section:
    name, kind, flags, _, offset, size, link, info, _, _ = row
    if kind not in (0, SECTION_NOBITS) and offset + size > len(view):
        raise ElfError(f"its section {_string(strings, name)} reaches past its end")
    size = 0 if kind == SECTION_NOBITS else size
    return Section(_string(strings, name), kind, flags, offset, size, link, info, header)


def _string(strings: bytes, offset: int) -> str:
    end = strings.find(b"\0", offset)
    if offset > len(strings) or end < 0:
        raise ElfError("a name lies outside its string table")
    return strings[offset:end].decode("utf-8", "surrogateescape")


def excluded(data: bytes | memoryview, sections: frozenset[str]) -> bytes:
    """Returns the object with these sections flagged SHF_EXCLUDE: linkers leave them out of their outputs."""
    patched = bytearray(data)
    for section in read(data).sections:
        if section.name in sections:
            struct.pack_into("<Q", patched, section.header + _FLAGS_OFFSET, section.flags | FLAG_EXCLUDE)
    return bytes(patched)


def without_debug_information(data: bytes | memoryview) -> bytes:
    """Returns the object with zeros in the place of DWARF sections: these compress to nothing."""
    patched = bytearray(data)
    for section in read(data).sections:
        if section.name.startswith((".debug_", ".rela.debug_")):
            patched[section.offset : section.offset + section.size] = bytes(section.size)
    return bytes(patched)


def weakened(data: bytes | memoryview, gives_way: Callable[[Symbol], bool]) -> bytes:
    """Returns the object in which the global symbols that `gives_way` accepts are weak. Common symbols stay."""
    patched = bytearray(data)
    file = read(data)
    for table in file.sections:
        for i, symbol in enumerate(file.table(table)) if table.type == SECTION_SYMTAB else ():
            if symbol.binding == BIND_GLOBAL and not symbol.is_common and gives_way(symbol):
                place = table.offset + i * _SYMBOL.size + _INFO_OFFSET
                patched[place] = BIND_WEAK << 4 | symbol.type
    return bytes(patched)


def with_global_names(data: bytes | memoryview, names: Mapping[str, str], *, exported: bool = False) -> bytes:
    """Returns the object in which symbols have second names, which are global.

    The new names are hidden unless they are `exported`. The new symbols stand behind all others. So the numbers of the
    others, which relocations use, do not change.
    """
    visibility = _VISIBILITY_DEFAULT if exported else _VISIBILITY_HIDDEN
    file = read(data)
    table = next(section for section in file.sections if section.type == SECTION_SYMTAB)
    texts = file.sections[table.link]
    symbols, strings = bytearray(file.contents(table)), bytearray(file.contents(texts))
    numbers = []
    for number, symbol in enumerate(file.table(table)):
        is_local = symbol.binding == BIND_LOCAL and file.locals.get(symbol.name) == symbol
        if symbol.name in names and (is_local or (symbol.binding == BIND_GLOBAL and symbol.is_defined)):
            _, info, _, section, value, size = _SYMBOL.unpack_from(symbols, number * _SYMBOL.size)
            info = BIND_GLOBAL << 4 | info & 0xF
            symbols += _SYMBOL.pack(len(strings), info, visibility, section, value, size)
            strings += names[symbol.name].encode("utf-8", "surrogateescape") + b"\0"
            numbers.append(number)
    patched = bytearray(data)
    _replace(patched, table, symbols)
    _replace(patched, texts, strings)
    for extended in file.sections:
        if extended.type == SECTION_EXTENDED:
            indices = bytearray(file.contents(extended))
            for number in numbers:
                indices += indices[4 * number : 4 * number + 4]
            _replace(patched, extended, indices)
    return bytes(patched)


def _replace(data: bytearray, section: Section, contents: bytearray) -> None:
    """Puts new contents of a section at the end of the file."""
    data += bytes(-len(data) % 8)
    struct.pack_into("<QQ", data, section.header + _CONTENTS_OFFSET, len(data), len(contents))
    data += contents


def with_section(name: str, contents: bytes, symbol: str, machine: int) -> bytes:
    """Returns an object with one section that is not loaded, and one global symbol, of eight bytes."""
    titles = ("", ".symtab", ".strtab", name, ".rodata", _NO_STACK, symbol)
    names = "".join(f"{title}\0" for title in titles).encode()
    places = dict(zip(titles, accumulate((len(title.encode()) + 1 for title in titles), initial=0), strict=False))
    symbol_row = _SYMBOL.pack(places[symbol], BIND_GLOBAL << 4 | TYPE_OBJECT, _VISIBILITY_DEFAULT, 4, 0, 8)
    parts = [  # name, type, flags, contents, link, information, size of an entry
        (".symtab", SECTION_SYMTAB, 0, bytes(_SYMBOL.size) + symbol_row, 2, 1, _SYMBOL.size),
        (".strtab", _SECTION_STRTAB, 0, names, 0, 0, 0),
        (name, _SECTION_PROGBITS, 0, contents, 0, 0, 0),
        (".rodata", _SECTION_PROGBITS, FLAG_ALLOC, bytes(8), 0, 0, 0),
        (_NO_STACK, _SECTION_PROGBITS, 0, b"", 0, 0, 0),
    ]
    body, rows = bytearray(_HEADER.size), [bytes(_SECTION.size)]
    for title, kind, flags, data, link, information, entry in parts:
        body += bytes(-len(body) % 8)
        rows.append(_SECTION.pack(places[title], kind, flags, 0, len(body), len(data), link, information, 8, entry))
        body += data
    body += bytes(-len(body) % 8)
    sizes = _HEADER.size, 0, 0, _SECTION.size, len(rows), 2
    ident = MAGIC + b"\x02\x01\x01"  # 64 bits, little-endian, version 1
    _HEADER.pack_into(body, 0, ident, TYPE_RELOCATABLE, machine, 1, 0, 0, len(body), 0, *sizes)
    return bytes(body) + b"".join(rows)
