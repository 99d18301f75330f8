"""What the C ABIs of the supported architectures say of variable arguments, as a table.

Sizes and alignments are the same on all of them (types.py), but for long double, which is another type of LLVM IR.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable

from msgspec import Struct

from .folding import int_constant, zero
from .types import I32, PTR
from .values import Value


class VariableArguments(Struct, frozen=True):
    """A `va_list` of `size` bytes. The fields, by offset, for a list whose arguments are all in memory.

    None stands for the address of this memory. `pointers` are the offsets of fields that may point to arguments.
    """

    size: int
    fields: dict[int, Value | None]
    pointers: tuple[int, ...]


class Architecture(Struct, frozen=True):
    """What is different on an architecture."""

    name: str  # the first part of LLVM's triples
    long_double: str  # the keyword of C's type in LLVM IR
    passes_arrays: bool  # clang passes structs of up to 16 bytes in general registers as arrays of integers
    variable_arguments: VariableArguments


ARCHITECTURES = {
    row.name: row
    for row in (
        # System V ABI for x86-64, 3.5.7: counters say how much of the saved registers is used: 48 and 176 are all
        Architecture(
            "x86_64",
            "x86_fp80",
            False,
            VariableArguments(
                24, {0: int_constant(48, I32), 4: int_constant(176, I32), 8: None, 16: zero(PTR)}, (8, 16)
            ),
        ),
        # AAPCS64, appendix "Variable argument lists": counters from below zero up say the same
        Architecture(
            "aarch64",
            "fp128",
            True,
            VariableArguments(
                32,
                {0: None, 8: zero(PTR), 16: zero(PTR), 24: int_constant(0, I32), 28: int_constant(0, I32)},
                (0, 8, 16),
            ),
        ),
    )
}


def architecture_name(triple: str) -> str:
    """Returns the first part of a triple; without a triple, the architecture of this machine."""
    name = triple.partition("-")[0] or platform.machine()
    return {"arm64": "aarch64"}.get(name, name)


def architecture_of(lines: Iterable[str]) -> Architecture:
    """Returns what lines of a module name (`target triple = "…"`). Raises `KeyError` if the table has no row."""
    named = [line.split('"')[1] for line in lines if line.startswith("target triple = ")]
    return ARCHITECTURES[architecture_name(named[0] if named else "")]
