"""A sorted table of the linker options that enzyme-ld knows. It passes other options to the native linker.

The names are those of GNU ld; lld, gold and mold take the same. A long option may start with one dash or two. A name
that starts with `o` needs two: GNU ld reads `-output` as `-o utput`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple


class ValueForm(Enum):
    """How an option takes its value."""

    NONE = auto()
    LONG = auto()  # --name=value or --name value
    EQUALS = auto()  # --name=value only, and the value may be missing
    SHORT = auto()  # -nvalue or -n value


class Role(Enum):
    """What an option means to enzyme-ld."""

    PASS = auto()  # nothing, but its value must not be taken for an input
    AS_NEEDED = auto()
    BDYNAMIC = auto()
    BSTATIC = auto()
    ENTRY = auto()  # its value names a symbol that must stay
    EXPORT = auto()  # symbols of executables become visible to others
    VERSIONS = auto()  # its value is a script that says which symbols are visible to others
    GROUP_END = auto()
    GROUP_START = auto()
    LIBRARY = auto()
    LIBRARY_PATH = auto()
    MULDEFS = auto()
    NO_AS_NEEDED = auto()
    NO_PIE = auto()
    NO_WHOLE_ARCHIVE = auto()
    OUTPUT = auto()
    PIE = auto()
    POP_STATE = auto()
    PUSH_STATE = auto()
    RELOCATABLE = auto()
    SCRIPT = auto()  # its value is a linker script, which may name symbols
    SHARED = auto()
    SIDE_OUTPUT = auto()  # writes something besides the output: left out of the trial link
    STATIC = auto()
    SYSROOT = auto()
    WHOLE_ARCHIVE = auto()
    WRAP = auto()


class Option(NamedTuple):
    """One row of the table."""

    value: ValueForm
    role: Role = Role.PASS


OPTIONS: dict[str, Option] = {
    "(": Option(ValueForm.NONE, Role.GROUP_START),
    ")": Option(ValueForm.NONE, Role.GROUP_END),
    "A": Option(ValueForm.SHORT),
    "Bdynamic": Option(ValueForm.NONE, Role.BDYNAMIC),
    "Bstatic": Option(ValueForm.NONE, Role.BSTATIC),
    "Bsymbolic": Option(ValueForm.NONE),
    "Bsymbolic-functions": Option(ValueForm.NONE),
    "E": Option(ValueForm.NONE, Role.EXPORT),
    "F": Option(ValueForm.SHORT),
    "G": Option(ValueForm.SHORT),
    "I": Option(ValueForm.SHORT),
    "L": Option(ValueForm.SHORT, Role.LIBRARY_PATH),
    "M": Option(ValueForm.NONE, Role.SIDE_OUTPUT),
    "Map": Option(ValueForm.LONG, Role.SIDE_OUTPUT),
    "O": Option(ValueForm.SHORT),
    "P": Option(ValueForm.SHORT),
    "R": Option(ValueForm.SHORT),
    "T": Option(ValueForm.SHORT, Role.SCRIPT),
    "Tbss": Option(ValueForm.LONG),
    "Tdata": Option(ValueForm.LONG),
    "Ttext": Option(ValueForm.LONG),
    "Ttext-segment": Option(ValueForm.LONG),
    "Y": Option(ValueForm.SHORT),
    "a": Option(ValueForm.SHORT),
    "allow-multiple-definition": Option(ValueForm.NONE, Role.MULDEFS),
    "architecture": Option(ValueForm.LONG),
    "as-needed": Option(ValueForm.NONE, Role.AS_NEEDED),
    "assert": Option(ValueForm.LONG),
    "audit": Option(ValueForm.LONG),
    "auxiliary": Option(ValueForm.LONG),
    "b": Option(ValueForm.SHORT),
    "build-id": Option(ValueForm.EQUALS),
    "c": Option(ValueForm.SHORT),
    "call_shared": Option(ValueForm.NONE, Role.BDYNAMIC),
    "cref": Option(ValueForm.NONE, Role.SIDE_OUTPUT),
    "default-script": Option(ValueForm.LONG, Role.SCRIPT),
    "defsym": Option(ValueForm.LONG, Role.ENTRY),
    "depaudit": Option(ValueForm.LONG),
    "dependency-file": Option(ValueForm.LONG, Role.SIDE_OUTPUT),
    "dn": Option(ValueForm.NONE, Role.BSTATIC),
    "dy": Option(ValueForm.NONE, Role.BDYNAMIC),
    "dynamic-linker": Option(ValueForm.LONG),
    "dynamic-list": Option(ValueForm.LONG, Role.EXPORT),
    "dynamic-list-cpp-new": Option(ValueForm.NONE, Role.EXPORT),
    "dynamic-list-cpp-typeinfo": Option(ValueForm.NONE, Role.EXPORT),
    "dynamic-list-data": Option(ValueForm.NONE, Role.EXPORT),
    "e": Option(ValueForm.SHORT, Role.ENTRY),
    "end-group": Option(ValueForm.NONE, Role.GROUP_END),
    "entry": Option(ValueForm.LONG, Role.ENTRY),
    "exclude-libs": Option(ValueForm.LONG),
    "export-dynamic": Option(ValueForm.NONE, Role.EXPORT),
    "export-dynamic-symbol": Option(ValueForm.LONG, Role.EXPORT),
    "export-dynamic-symbol-list": Option(ValueForm.LONG, Role.EXPORT),
    "f": Option(ValueForm.SHORT),
    "filter": Option(ValueForm.LONG),
    "fini": Option(ValueForm.LONG, Role.ENTRY),
    "format": Option(ValueForm.LONG),
    "h": Option(ValueForm.SHORT),
    "hash-style": Option(ValueForm.LONG),
    "i": Option(ValueForm.NONE, Role.RELOCATABLE),
    "image-base": Option(ValueForm.LONG),
    "init": Option(ValueForm.LONG, Role.ENTRY),
    "just-symbols": Option(ValueForm.LONG),
    "l": Option(ValueForm.SHORT, Role.LIBRARY),
    "library": Option(ValueForm.LONG, Role.LIBRARY),
    "library-path": Option(ValueForm.LONG, Role.LIBRARY_PATH),
    "m": Option(ValueForm.SHORT),
    "mllvm": Option(ValueForm.LONG),
    "no-as-needed": Option(ValueForm.NONE, Role.NO_AS_NEEDED),
    "no-pie": Option(ValueForm.NONE, Role.NO_PIE),
    "no-undefined": Option(ValueForm.NONE),
    "no-whole-archive": Option(ValueForm.NONE, Role.NO_WHOLE_ARCHIVE),
    "non_shared": Option(ValueForm.NONE, Role.BSTATIC),
    "o": Option(ValueForm.SHORT, Role.OUTPUT),
    "oformat": Option(ValueForm.LONG),
    "orphan-handling": Option(ValueForm.LONG),
    "out-implib": Option(ValueForm.LONG, Role.SIDE_OUTPUT),
    "output": Option(ValueForm.LONG, Role.OUTPUT),
    "pic-executable": Option(ValueForm.NONE, Role.PIE),
    "pie": Option(ValueForm.NONE, Role.PIE),
    "plugin": Option(ValueForm.LONG),
    "plugin-opt": Option(ValueForm.LONG),
    "pop-state": Option(ValueForm.NONE, Role.POP_STATE),
    "print-map": Option(ValueForm.NONE, Role.SIDE_OUTPUT),
    "push-state": Option(ValueForm.NONE, Role.PUSH_STATE),
    "q": Option(ValueForm.NONE),
    "r": Option(ValueForm.NONE, Role.RELOCATABLE),
    "relocatable": Option(ValueForm.NONE, Role.RELOCATABLE),
    "require-defined": Option(ValueForm.LONG, Role.ENTRY),
    "retain-symbols-file": Option(ValueForm.LONG, Role.SCRIPT),
    "rpath": Option(ValueForm.LONG),
    "rpath-link": Option(ValueForm.LONG),
    "s": Option(ValueForm.NONE),
    "script": Option(ValueForm.LONG, Role.SCRIPT),
    "section-ordering-file": Option(ValueForm.LONG),
    "section-start": Option(ValueForm.LONG),
    "shared": Option(ValueForm.NONE, Role.SHARED),
    "soname": Option(ValueForm.LONG),
    "sort-section": Option(ValueForm.LONG),
    "start-group": Option(ValueForm.NONE, Role.GROUP_START),
    "static": Option(ValueForm.NONE, Role.STATIC),
    "static-pie": Option(ValueForm.NONE, Role.PIE),
    "symbol-ordering-file": Option(ValueForm.LONG),
    "sysroot": Option(ValueForm.LONG, Role.SYSROOT),
    "t": Option(ValueForm.NONE, Role.SIDE_OUTPUT),
    "task-link": Option(ValueForm.LONG),
    "trace": Option(ValueForm.NONE, Role.SIDE_OUTPUT),
    "trace-symbol": Option(ValueForm.LONG, Role.SIDE_OUTPUT),
    "u": Option(ValueForm.SHORT, Role.ENTRY),
    "undefined": Option(ValueForm.LONG, Role.ENTRY),
    "unresolved-symbols": Option(ValueForm.LONG),
    "verbose": Option(ValueForm.EQUALS, Role.SIDE_OUTPUT),
    "version-script": Option(ValueForm.LONG, Role.VERSIONS),
    "whole-archive": Option(ValueForm.NONE, Role.WHOLE_ARCHIVE),
    "why-extract": Option(ValueForm.LONG, Role.SIDE_OUTPUT),
    "wrap": Option(ValueForm.LONG, Role.WRAP),
    "y": Option(ValueForm.SHORT, Role.SIDE_OUTPUT),
    "z": Option(ValueForm.SHORT),
}


def find(token: str) -> tuple[str, Option, str | None] | None:
    """Returns the name of the option `token`, its row, and its value if `token` holds one. None if it is unknown."""
    dashes = 2 if token.startswith("--") else 1
    name, equals, value = token[dashes:].partition("=")
    row = OPTIONS.get(name)
    if row is not None and _is_whole(name, row, dashes, bool(equals)):
        return name, row, value if equals else None
    if dashes == 1 and (short := OPTIONS.get(token[1:2])) is not None and short.value is ValueForm.SHORT:
        return token[1], short, token[2:] or None
    return None


def _is_whole(name: str, row: Option, dashes: int, equals: bool) -> bool:
    """True if `name` is the whole option: not a short option with its value joined to it."""
    if row.value is ValueForm.SHORT:
        return dashes == 1 and not equals
    return not (dashes == 1 and name.startswith("o")) and not (equals and row.value is ValueForm.NONE)
