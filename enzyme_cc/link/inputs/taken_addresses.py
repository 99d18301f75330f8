"""Which functions have their address taken by the native code or data of an object file.

LLVM may change the signature of a local function, unless its address is taken. So these functions, and no other local
ones, can be called from outside by the signature that the bitcode shows (x86-64 only):

- An address in data, or in code that is not position-independent, has a relocation.
- `lea` computes an address in code. Within a section, the assembler leaves no relocation, so the instruction is looked
  for: REX.W, 8D, a ModRM byte for rip and a register, and the distance from the end of the instruction.

A function of other files is called through relocations of certain types. All others take its address.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from enzyme_cc.link.inputs import elf

#: of the file header: x86-64
MACHINE = 62

_PC32, _PLT32 = 2, 4
_LEA = re.compile(rb"(?=[\x48\x4c]\x8d[\x05\x0d\x15\x1d\x25\x2d\x35\x3d](....))", re.S)
_LEA_BYTES, _LEA_DISTANCE = 7, 3
_DISTANCE = struct.Struct("<i")
# The relocations that call a function, by the machine: R_X86_64_PLT32; R_AARCH64_JUMP26 and R_AARCH64_CALL26.
_CALLS = {MACHINE: frozenset([_PLT32]), 183: frozenset([282, 283])}
# The relocations of a shared library's places for calls: R_X86_64_JUMP_SLOT and R_AARCH64_JUMP_SLOT.
_JUMP_SLOTS = (7, 1026)
# On x86-64, instructions that call or jump to what is at an address, before the distance to that address (-fno-plt).
_THROUGH_MEMORY = (b"\xff\x15", b"\xff\x25")
# The unwinder's tables name each function.
_OWN_TABLES = (".eh_frame",)


def taken_addresses(file: elf.Elf) -> frozenset[str]:
    """Returns the names of the local functions whose address is taken."""
    places = {(s.section, s.value): name for name, s in file.locals.items() if s.type == elf.TYPE_FUNCTION}
    if not places:
        return frozenset()
    relocated: dict[int, set[int]] = {}
    found = {places[target] for target in _relocated(file, relocated) if target in places}
    found.update(places[target] for target in _computed(file, relocated) if target in places)
    return frozenset(found)


def named_addresses(file: elf.Elf) -> frozenset[str]:
    """Returns the names of the global symbols whose address is taken. Calls take none."""
    calls, found = _CALLS.get(file.machine, frozenset()), set()
    for table, into, symbols in _tables(file):
        code = bytes(file.contents(into)) if into.flags & elf.FLAG_CODE else b""
        for place, kind, number, _ in file.relocations(table):
            is_call = kind in calls or (file.machine == MACHINE and code[max(place - 2, 0) : place] in _THROUGH_MEMORY)
            if number < len(symbols) and symbols[number].binding != elf.BIND_LOCAL and not is_call:
                found.add(symbols[number].name)
    return frozenset(found)


def imported_addresses(file: elf.Elf) -> frozenset[str]:
    """Returns the names of the functions of other files whose address a shared library takes."""
    found = set()
    for table in file.sections:
        is_dynamic = table.type == elf.SECTION_RELA and file.sections[table.link].type == elf.SECTION_DYNSYM
        symbols = list(file.table(file.sections[table.link])) if is_dynamic else []
        for _, kind, number, _ in file.relocations(table) if is_dynamic else ():
            if number and kind not in _JUMP_SLOTS and not symbols[number].is_defined:
                found.add(symbols[number].name)
    return frozenset(found)


def _tables(file: elf.Elf) -> Iterator[tuple[elf.Section, elf.Section, list[elf.Symbol]]]:
    """Yields the tables of relocations, with the section of the program that each is about, and the symbols."""
    read: dict[int, list[elf.Symbol]] = {}
    for table in file.sections:
        if table.type != elf.SECTION_RELA or table.info >= len(file.sections):
            continue
        into = file.sections[table.info]
        if not into.flags & elf.FLAG_ALLOC or into.name in _OWN_TABLES:
            continue
        if table.link not in read:
            read[table.link] = list(file.table(file.sections[table.link]))
        yield table, into, read[table.link]


def _relocated(file: elf.Elf, relocated: dict[int, set[int]]) -> Iterator[tuple[int, int]]:
    """Yields (section, offset) of each address that a relocation takes. Notes all relocated places by section."""
    for table, into, symbols in _tables(file):
        places = relocated.setdefault(table.info, set())
        for place, kind, number, addend in file.relocations(table):
            places.add(place)
            if kind == _PLT32 or number >= len(symbols):
                continue
            behind = 4 if kind == _PC32 and into.flags & elf.FLAG_CODE else 0
            yield symbols[number].section, symbols[number].value + addend + behind


def _computed(file: elf.Elf, relocated: dict[int, set[int]]) -> Iterator[tuple[int, int]]:
    """Yields (section, offset) of each address that `lea` computes within its section."""
    for number, section in enumerate(file.sections):
        if not section.flags & elf.FLAG_CODE:
            continue
        places = relocated.get(number, set())
        for match in _LEA.finditer(bytes(file.contents(section))):
            start = match.start()
            if start + _LEA_DISTANCE not in places:
                yield number, start + _LEA_BYTES + _DISTANCE.unpack(match[1])[0]
