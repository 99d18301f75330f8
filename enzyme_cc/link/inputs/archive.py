"""Reads and writes Unix archives, also thin ones.

An archive is the line `!<arch>` and then members. A member is a 60-byte text header (name, date, owner, group, mode,
size, two end bytes) and its bytes, padded to an even offset. Some names have a meaning:

- `/` or `/SYM64/` is the symbol index;
- `//` is a table of long names, and the name `/123` stands for the long name at its offset 123;
- a short name ends with a slash;
- `#1/length` is a long name as BSD writes it: the name stands before the member's bytes.

In a thin archive (`!<thin>`) ordinary members have no bytes: their names are paths relative to the archive's folder.
GNU ar can put an archive into a thin one: then `/123:456` is that archive's member with its header at offset 456.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

MAGIC, THIN_MAGIC = b"!<arch>\n", b"!<thin>\n"
_HEADER_SIZE = 60
_NAME_SIZE = 16
_END = b"`\n"
_INDEX_NAMES = ("/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED")


class ArchiveError(ValueError):
    """The archive contradicts itself; the message says how."""


class Member(Struct, frozen=True):
    """One ordinary member. Its `index`, counted from 0, identifies it: names need not be unique.

    `header` is the offset of its header. The `data` of a thin member is empty, and `path` is the file that holds it. If
    that file is an archive, `origin` is the offset of the member's header in it.
    """

    index: int
    name: str
    header: int
    data: memoryview
    path: str | None = None
    origin: int | None = None


def is_archive(data: bytes | memoryview) -> bool:
    """True if the file starts as an archive does."""
    return bytes(data[:8]) in (MAGIC, THIN_MAGIC)


def is_thin(data: bytes | memoryview) -> bool:
    """True if the file is a thin archive."""
    return bytes(data[:8]) == THIN_MAGIC


def read(data: bytes | memoryview, path: str) -> tuple[Member, ...]:
    """Returns the ordinary members of the archive in `data`, which was read from `path`. Raises `ArchiveError`."""
    return tuple(_members(memoryview(data), os.path.dirname(path)))


def _members(view: memoryview, directory: str) -> Iterator[Member]:
    thin, names, offset, index = is_thin(view), b"", len(MAGIC), 0
    while offset + 1 < len(view):
        raw, size = _header(view, offset)
        start = offset + _HEADER_SIZE
        special = raw in _INDEX_NAMES or raw == "//"
        held = size if special or not thin else 0
        if start + held > len(view):
            raise ArchiveError(f"member {raw.removesuffix('/')} at offset {offset} reaches past the end of the archive")
        body = view[start : start + held]
        if raw == "//":
            names = bytes(body)
        elif not special:
            raw, origin = _nested(raw) if thin else (raw, None)
            name, body = _name(raw, names, body)
            yield Member(index, name, offset, body, os.path.join(directory, name) if thin else None, origin)
            index += 1
        offset = start + held + (held & 1)


def _header(view: memoryview, offset: int) -> tuple[str, int]:
    header = bytes(view[offset : offset + _HEADER_SIZE])
    if len(header) < _HEADER_SIZE or header[58:] != _END:
        raise ArchiveError(f"the member header at offset {offset} is damaged")
    digits = header[48:58].strip()
    if not digits.isdigit():
        raise ArchiveError(f"the member header at offset {offset} has no valid size")
    return header[:_NAME_SIZE].decode("utf-8", "surrogateescape").rstrip(), int(digits)


def _nested(raw: str) -> tuple[str, int | None]:
    name, _, origin = raw.partition(":")
    return (name, int(origin)) if raw.startswith("/") and origin.isdigit() else (raw, None)


def _name(raw: str, names: bytes, body: memoryview) -> tuple[str, memoryview]:
    if raw.startswith("#1/") and raw[3:].isdigit():
        length = int(raw[3:])
        return _text(bytes(body[:length]).rstrip(b"\0")), body[length:]
    if raw.startswith("/") and raw[1:].isdigit():
        start = int(raw[1:])
        end = names.find(b"\n", start)
        if end < 0:
            raise ArchiveError(f"the long name of member {raw} is missing")
        return _text(names[start:end].removesuffix(b"/")), body
    return raw.removesuffix("/"), body


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def index(data: bytes | memoryview) -> dict[str, int]:
    """Returns the symbol index of an archive: for each symbol, the header offset of its first definition.

    The index is empty if the archive has none. Raises `ArchiveError`.
    """
    view, start = memoryview(data), len(MAGIC) + _HEADER_SIZE
    if len(view) < start:
        return {}
    name, size = _header(view, len(MAGIC))
    width = {"/": 4, "/SYM64/": 8}.get(name)
    if width is None or size < width:
        return {}
    table = bytes(view[start : start + size])
    count = int.from_bytes(table[:width], "big")
    offsets = [int.from_bytes(table[i : i + width], "big") for i in range(width, width * (count + 1), width)]
    names = table[width * (count + 1) :].split(b"\0")
    return {_text(name): offset for name, offset in reversed(list(zip(names, offsets, strict=False)))}


def with_numbered_names(data: bytes | memoryview, members: Iterable[Member]) -> bytes:
    """Returns a copy in which each member's name is its index, so that names are unique. Not for thin archives."""
    patched = bytearray(data)
    for member in members:
        name = numbered_name(member.index).encode()
        patched[member.header : member.header + _NAME_SIZE] = (name + b"/").ljust(_NAME_SIZE)
    return bytes(patched)


def numbered_name(index: int) -> str:
    """Returns the name that `with_numbered_names` gives to the member of that index."""
    return f"#{index}.o"


def write(members: Sequence[tuple[str, bytes | memoryview, Sequence[str]]]) -> bytes:
    """Returns an archive of (name, bytes, defined global symbols) members, with a symbol index."""
    long_names, fields = b"", []
    for name, _, _ in members:
        encoded = name.encode("utf-8", "surrogateescape")
        if len(encoded) < _NAME_SIZE and "/" not in name:
            fields.append(encoded + b"/")
        else:
            fields.append(b"/%d" % len(long_names))
            long_names += encoded + b"/\n"
    table = _entry(b"//", long_names) if long_names else b""
    symbols = b"".join(symbol.encode("utf-8", "surrogateescape") + b"\0" for _, _, names in members for symbol in names)
    count = sum(len(names) for _, _, names in members)
    entries = [_entry(field, bytes(data)) for field, (_, data, _) in zip(fields, members, strict=True)]
    offset = len(MAGIC) + len(_entry(b"/SYM64/", b"\0" * (8 * (count + 1)) + symbols)) + len(table)
    index = [count]
    for entry, (_, _, names) in zip(entries, members, strict=True):
        index += [offset] * len(names)
        offset += len(entry)
    return MAGIC + _entry(b"/SYM64/", struct.pack(f">{count + 1}Q", *index) + symbols) + table + b"".join(entries)


def _entry(name: bytes, data: bytes) -> bytes:
    header = name.ljust(_NAME_SIZE) + b"0           0     0     644     " + b"%-10d" % len(data) + _END
    return header + data + (b"\n" if len(data) & 1 else b"")
