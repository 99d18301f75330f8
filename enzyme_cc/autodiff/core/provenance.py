"""Explains why a function has no bitcode, by the object or archive that defines it, and where calls are."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.values import Function, Instruction

_SHARED = re.compile(r"\.so(?:\.\d+)*$")
_COMPILE = "compile its file with enzyme-cc, enzyme-c++ or enzyme-fc"
_DERIVATIVE = "give it a custom derivative (__enzyme_register_…)"
_DERIVATIVE_OF_LIBRARY = (
    "give it a custom derivative: in the program (__enzyme_register_…), or in a C file with "
    "--enzyme-derivatives=FILE.c (docs/extending.md)"
)
_INACTIVE = "if its results carry no derivative, link with --enzyme-inactive=NAME"

#: names the object or archive member that defines a symbol without bitcode
Provenance = Callable[[str], str | None]


def why_no_bitcode(provenance: Provenance, name: str) -> str:
    """Returns the reason that a diagnostic gives for a function without bitcode."""
    where = provenance(name)
    if where and _SHARED.search(where):
        return (
            f"it is defined in {where}, a shared library without bitcode of it: enzyme-cc did not link the library, "
            "or did so with --enzyme-no-library-units or of objects of -flto; or strip removed it (--strip-unneeded "
            "does not); or enzyme-cc did not compile the file, or it has requests itself"
        )
    if where:
        return f"it is defined in {where}, which was compiled without enzyme-cc"
    return "no object or archive of this link defines it with bitcode"


def remedy_of_request(provenance: Provenance, name: str) -> str:
    """Returns what to do if a request is to differentiate such a function."""
    where = provenance(name)
    if where and _SHARED.search(where):
        return f"{_DERIVATIVE_OF_LIBRARY}; or build the library with enzyme-cc, without -flto"
    return f"{_COMPILE}; or {_DERIVATIVE}"


def remedy_without_bitcode(provenance: Provenance, name: str) -> str:
    """Returns what to do if differentiated code calls such a function."""
    return f"{remedy_of_request(provenance, name)}; or, {_INACTIVE}"


def call_site(source: Module, function: Function, i: Instruction) -> str:
    """Returns the function that makes a call, for a message, and the line if that is known."""
    name, place = (source.inlined_functions(i) or [plain_name(function.name)])[-1], source.source_location(i)
    return f"{name} ({place})" if place else name
