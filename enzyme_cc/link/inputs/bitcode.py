"""Finds LLVM modules in bytes: in the bitcode sections of objects, and in raw bitcode files.

A bitcode file is the magic number `BC 0xC0DE` and top-level blocks (identification, module, string table, symbol
table). Each block starts at a multiple of four bytes. Its first word names it, and its second word is its length in
words, so a reader can skip it. A wrapper (magic 0x0B17C0DE) is a header before the module with an offset and a size.
`ld -r` concatenates sections: the next module may start where the blocks of one module end.

A stamped object has a checksum of its bitcode in the padding of the ELF header (toolchain/launcher/stamp.c): the mark
`EZ`, 1, and the CRC-32 of all bitcode sections in the order of their headers.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from enzyme_cc.link.inputs import elf

MAGIC = b"BC\xc0\xde"
WRAPPER_MAGIC = b"\xde\xc0\x17\x0b"

# Sections that hold bitcode, best first: stamped by enzyme-cc, written by clang, of fat LTO objects.
SECTIONS = (".enzybc", ".llvmbc", ".llvm.lto")
# Sections that hold the compiler's command: stamped by enzyme-cc, written by clang.
COMMAND_SECTIONS = (".enzycmd", ".llvmcmd")
# Sections that must not reach executables.
EXCLUDED_SECTIONS = frozenset({*SECTIONS, *COMMAND_SECTIONS})

_WRAPPER = struct.Struct("<5I")
_BLOCK = struct.Struct("<II")
_ENTER_SUBBLOCK = 1
_CHECKSUM = struct.Struct("<3sI")
_CHECKSUM_MARK = b"EZ\x01"


class BitcodeError(ValueError):
    """The bytes do not have the form of bitcode; the message says where."""


def is_bitcode(data: bytes | memoryview) -> bool:
    """True if the file starts as bitcode does, with or without a wrapper."""
    return bytes(data[:4]) in (MAGIC, WRAPPER_MAGIC)


def in_object(file: elf.Elf) -> tuple[bytes, ...]:
    """Returns the modules in an object's bitcode sections. Raises `BitcodeError`."""
    if _is_damaged(file):
        raise BitcodeError("it is damaged: its checksum is not the one that the compiler stamped")
    for name in SECTIONS:
        sections = [section for section in file.named(name) if section.size]
        if sections:
            return tuple(module for section in sections for module in split(file.contents(section)))
    return ()


def is_stamped(file: elf.Elf) -> bool:
    """True if the object has a checksum of its bitcode."""
    return bool(_CHECKSUM.unpack(file.padding)[0] == _CHECKSUM_MARK)


def _is_damaged(file: elf.Elf) -> bool:
    if not is_stamped(file):
        return False
    _, stamped = _CHECKSUM.unpack(file.padding)
    found = 0
    for section in file.sections:
        if section.name in SECTIONS:
            found = zlib.crc32(file.contents(section), found)
    return bool(found != stamped)


def split(data: bytes | memoryview) -> tuple[bytes, ...]:
    """Returns the modules that follow each other in `data`, without their wrappers. Raises `BitcodeError`."""
    return tuple(_modules(memoryview(data)))


def _modules(view: memoryview) -> Iterator[bytes]:
    offset = _skip_padding(view, 0)
    while offset < len(view):
        magic = bytes(view[offset : offset + 4])
        if magic == WRAPPER_MAGIC:
            start, end, offset = _wrapped(view, offset)
            yield bytes(view[start:end])
        elif magic == MAGIC:
            end = _end_of_blocks(view, offset)
            yield bytes(view[offset:end])
            offset = end
        else:
            raise BitcodeError(f"no module starts at byte {offset}")
        offset = _skip_padding(view, offset)


def _wrapped(view: memoryview, offset: int) -> tuple[int, int, int]:
    """Returns the start and the end of the wrapped bitcode, and the end of the wrapper."""
    if offset + _WRAPPER.size > len(view):
        raise BitcodeError("a wrapper is cut short")
    _, _, start, size, _ = _WRAPPER.unpack_from(view, offset)
    end = offset + start + size
    if start < _WRAPPER.size or end > len(view) or bytes(view[offset + start : offset + start + 4]) != MAGIC:
        raise BitcodeError("a wrapper does not hold a module")
    return offset + start, end, end


def _end_of_blocks(view: memoryview, start: int) -> int:
    offset = start + len(MAGIC)
    while offset + _BLOCK.size <= len(view):
        head, words = _BLOCK.unpack_from(view, offset)
        if head & 3 != _ENTER_SUBBLOCK or bytes(view[offset : offset + 4]) == MAGIC:
            break
        offset += _BLOCK.size + 4 * words
        if offset > len(view):
            raise BitcodeError(f"a block of the module at byte {start} is cut short")
    if offset == start + len(MAGIC):
        raise BitcodeError(f"the module at byte {start} has no blocks")
    return offset


def _skip_padding(view: memoryview, offset: int) -> int:
    while offset < len(view) and view[offset] == 0:
        offset += 1
    return offset
