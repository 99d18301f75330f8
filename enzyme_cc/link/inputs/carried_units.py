"""The units that a shared library carries, for derivatives of its functions: the format of its section `.enzyme_units`.

The link of a shared library puts the objects with bitcode that it is made of into a section that is not loaded
(native/library_units.py). A program that is linked with the library finds its units there. The library keeps its native
code and its variables. So each local or hidden symbol that derivatives must name has a second name, which the library
exports; the section has these names.

Layout: the length of a header (four bytes, little-endian), the header (JSON), and the objects one after the other. The
whole is compressed (zlib).
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from enzyme_cc.link.inputs import elf

SECTION = ".enzyme_units"
#: the name of a symbol that the library exports begins with this, and ends with a checksum of the section
IDENTITY = "__ez_units_"

_LENGTH = struct.Struct("<I")


class CarriedError(ValueError):
    """The section does not have its form; the message says how."""


class CarriedUnit(Struct, frozen=True):
    """An object in the section: its name in diagnostics, its bytes, and second names of local and hidden symbols."""

    label: str
    data: bytes
    names: Mapping[str, str]


def packed(units: Iterable[CarriedUnit]) -> bytes:
    """Returns the contents of the section."""
    units = list(units)
    rows = [{"label": unit.label, "size": len(unit.data), "names": dict(unit.names)} for unit in units]
    header = json.dumps(rows).encode()
    return zlib.compress(b"".join([_LENGTH.pack(len(header)), header, *(unit.data for unit in units)]))


def unpacked(contents: bytes | memoryview) -> Iterator[CarriedUnit]:
    """Yields the units of the section. Raises `CarriedError`."""
    try:
        data = zlib.decompress(contents)
        (length,) = _LENGTH.unpack_from(data)
        place = _LENGTH.size + length
        for row in json.loads(data[_LENGTH.size : place]):
            yield CarriedUnit(row["label"], data[place : place + row["size"]], row["names"])
            place += row["size"]
    except (zlib.error, struct.error, ValueError, KeyError, TypeError) as error:
        raise CarriedError(f"its section {SECTION} is damaged: {error}") from None


def in_library(file: elf.Elf) -> list[CarriedUnit]:
    """Returns the units that a shared library carries; none for another file. Raises `CarriedError`."""
    return [unit for section in file.named(SECTION) for unit in unpacked(file.contents(section))]


def identity(contents: bytes) -> str:
    """Returns the name of the symbol that tells a library with this section from others."""
    import hashlib

    return IDENTITY + hashlib.sha256(contents).hexdigest()[:16]
