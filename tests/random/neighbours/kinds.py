"""All classes of neighbours, by name."""

from __future__ import annotations

from . import interfaces, moving, moving_cxx, moving_fortran, overwriting, packed, replaced_buffers
from .neighbour import Kind

KINDS: dict[str, Kind] = {
    "memory": moving.MEMORY,
    "files": moving.FILES,
    "strings": moving_cxx.STRINGS,
    "streams": moving_cxx.STREAMS,
    "overwriting-c": overwriting.C,
    "overwriting-cxx": overwriting.CXX,
    "overwriting-fortran": overwriting.FORTRAN,
    "containers-cxx": replaced_buffers.CXX,
    "interfaces": interfaces.C,
    "moving-fortran": moving_fortran.NUMBERS,
    "characters-fortran": moving_fortran.CHARACTERS,
    "packed": packed.C,
}
