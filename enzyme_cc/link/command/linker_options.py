"""What is known of linker options, as one sorted table. What is not in it passes through untouched.

The names are those of GNU ld; lld, gold and mold take the same. Long options go with one dash or two, but names that
start with `o` need two (GNU ld reads `-output` as `-o utput`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Value(Enum):
    """How an option takes its value."""

    NONE = auto()
    LONG = auto()  # --name=value or --name value
    EQUALS = auto()  # --name=value only, and the value may be missing
    SHORT = auto()  # -nvalue or -n value


class Role(Enum):
    """What an option means to enzyme-ld."""

    PASS = auto()  # nothing: passed on, but its value must not be taken for an input
    AS_NEEDED = auto()
    BDYNAMIC = auto()
    BSTATIC = auto()
    ENTRY = auto()  # its value names a symbol that must stay
    EXPORT = auto()  # symbols of executables become visible to others
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
    SCRIPT = auto()  # its value names a linker script, whose words may name symbols
    SHARED = auto()
    SIDE_OUTPUT = auto()  # writes something besides the output: left out of the trial link
    STATIC = auto()
    SYSROOT = auto()
    WHOLE_ARCHIVE = auto()
    WRAP = auto()


@dataclass(frozen=True)
class Option:
    """One row of the table."""

    value: Value
    role: Role = Role.PASS


OPTIONS: dict[str, Option] = {
    "(": Option(Value.NONE, Role.GROUP_START),
    ")": Option(Value.NONE, Role.GROUP_END),
    "A": Option(Value.SHORT),
    "Bdynamic": Option(Value.NONE, Role.BDYNAMIC),
    "Bstatic": Option(Value.NONE, Role.BSTATIC),
    "Bsymbolic": Option(Value.NONE),
    "Bsymbolic-functions": Option(Value.NONE),
    "E": Option(Value.NONE, Role.EXPORT),
    "F": Option(Value.SHORT),
    "G": Option(Value.SHORT),
    "I": Option(Value.SHORT),
    "L": Option(Value.SHORT, Role.LIBRARY_PATH),
    "M": Option(Value.NONE, Role.SIDE_OUTPUT),
    "Map": Option(Value.LONG, Role.SIDE_OUTPUT),
    "O": Option(Value.SHORT),
    "P": Option(Value.SHORT),
    "R": Option(Value.SHORT),
    "T": Option(Value.SHORT, Role.SCRIPT),
    "Tbss": Option(Value.LONG),
    "Tdata": Option(Value.LONG),
    "Ttext": Option(Value.LONG),
    "Ttext-segment": Option(Value.LONG),
    "Y": Option(Value.SHORT),
    "a": Option(Value.SHORT),
    "allow-multiple-definition": Option(Value.NONE, Role.MULDEFS),
    "architecture": Option(Value.LONG),
    "as-needed": Option(Value.NONE, Role.AS_NEEDED),
    "assert": Option(Value.LONG),
    "audit": Option(Value.LONG),
    "auxiliary": Option(Value.LONG),
    "b": Option(Value.SHORT),
    "build-id": Option(Value.EQUALS),
    "c": Option(Value.SHORT),
    "call_shared": Option(Value.NONE, Role.BDYNAMIC),
    "cref": Option(Value.NONE, Role.SIDE_OUTPUT),
    "default-script": Option(Value.LONG, Role.SCRIPT),
    "defsym": Option(Value.LONG, Role.ENTRY),
    "depaudit": Option(Value.LONG),
    "dependency-file": Option(Value.LONG, Role.SIDE_OUTPUT),
    "dn": Option(Value.NONE, Role.BSTATIC),
    "dy": Option(Value.NONE, Role.BDYNAMIC),
    "dynamic-linker": Option(Value.LONG),
    "dynamic-list": Option(Value.LONG, Role.EXPORT),
    "dynamic-list-cpp-new": Option(Value.NONE, Role.EXPORT),
    "dynamic-list-cpp-typeinfo": Option(Value.NONE, Role.EXPORT),
    "dynamic-list-data": Option(Value.NONE, Role.EXPORT),
    "e": Option(Value.SHORT, Role.ENTRY),
    "end-group": Option(Value.NONE, Role.GROUP_END),
    "entry": Option(Value.LONG, Role.ENTRY),
    "exclude-libs": Option(Value.LONG),
    "export-dynamic": Option(Value.NONE, Role.EXPORT),
    "export-dynamic-symbol": Option(Value.LONG, Role.EXPORT),
    "export-dynamic-symbol-list": Option(Value.LONG, Role.EXPORT),
    "f": Option(Value.SHORT),
    "filter": Option(Value.LONG),
    "fini": Option(Value.LONG, Role.ENTRY),
    "format": Option(Value.LONG),
    "h": Option(Value.SHORT),
    "hash-style": Option(Value.LONG),
    "i": Option(Value.NONE, Role.RELOCATABLE),
    "image-base": Option(Value.LONG),
    "init": Option(Value.LONG, Role.ENTRY),
    "just-symbols": Option(Value.LONG),
    "l": Option(Value.SHORT, Role.LIBRARY),
    "library": Option(Value.LONG, Role.LIBRARY),
    "library-path": Option(Value.LONG, Role.LIBRARY_PATH),
    "m": Option(Value.SHORT),
    "mllvm": Option(Value.LONG),
    "no-as-needed": Option(Value.NONE, Role.NO_AS_NEEDED),
    "no-pie": Option(Value.NONE, Role.NO_PIE),
    "no-undefined": Option(Value.NONE),
    "no-whole-archive": Option(Value.NONE, Role.NO_WHOLE_ARCHIVE),
    "non_shared": Option(Value.NONE, Role.BSTATIC),
    "o": Option(Value.SHORT, Role.OUTPUT),
    "oformat": Option(Value.LONG),
    "orphan-handling": Option(Value.LONG),
    "out-implib": Option(Value.LONG, Role.SIDE_OUTPUT),
    "output": Option(Value.LONG, Role.OUTPUT),
    "pic-executable": Option(Value.NONE, Role.PIE),
    "pie": Option(Value.NONE, Role.PIE),
    "plugin": Option(Value.LONG),
    "plugin-opt": Option(Value.LONG),
    "pop-state": Option(Value.NONE, Role.POP_STATE),
    "print-map": Option(Value.NONE, Role.SIDE_OUTPUT),
    "push-state": Option(Value.NONE, Role.PUSH_STATE),
    "q": Option(Value.NONE),
    "r": Option(Value.NONE, Role.RELOCATABLE),
    "relocatable": Option(Value.NONE, Role.RELOCATABLE),
    "require-defined": Option(Value.LONG, Role.ENTRY),
    "retain-symbols-file": Option(Value.LONG, Role.SCRIPT),
    "rpath": Option(Value.LONG),
    "rpath-link": Option(Value.LONG),
    "s": Option(Value.NONE),
    "script": Option(Value.LONG, Role.SCRIPT),
    "section-ordering-file": Option(Value.LONG),
    "section-start": Option(Value.LONG),
    "shared": Option(Value.NONE, Role.SHARED),
    "soname": Option(Value.LONG),
    "sort-section": Option(Value.LONG),
    "start-group": Option(Value.NONE, Role.GROUP_START),
    "static": Option(Value.NONE, Role.STATIC),
    "static-pie": Option(Value.NONE, Role.PIE),
    "symbol-ordering-file": Option(Value.LONG),
    "sysroot": Option(Value.LONG, Role.SYSROOT),
    "t": Option(Value.NONE, Role.SIDE_OUTPUT),
    "task-link": Option(Value.LONG),
    "trace": Option(Value.NONE, Role.SIDE_OUTPUT),
    "trace-symbol": Option(Value.LONG, Role.SIDE_OUTPUT),
    "u": Option(Value.SHORT, Role.ENTRY),
    "undefined": Option(Value.LONG, Role.ENTRY),
    "unresolved-symbols": Option(Value.LONG),
    "verbose": Option(Value.EQUALS, Role.SIDE_OUTPUT),
    "version-script": Option(Value.LONG, Role.EXPORT),
    "whole-archive": Option(Value.NONE, Role.WHOLE_ARCHIVE),
    "why-extract": Option(Value.LONG, Role.SIDE_OUTPUT),
    "wrap": Option(Value.LONG, Role.WRAP),
    "y": Option(Value.SHORT, Role.SIDE_OUTPUT),
    "z": Option(Value.SHORT),
}


def find(token: str) -> tuple[str, Option, str | None] | None:
    """Return the name, the row, and the joined value (if any) of the option `token`; None if it is unknown."""
    dashes = 2 if token.startswith("--") else 1
    name, equals, value = token[dashes:].partition("=")
    row = OPTIONS.get(name)
    if row is not None and _is_whole(name, row, dashes, bool(equals)):
        return name, row, value if equals else None
    if dashes == 1 and (short := OPTIONS.get(token[1:2])) is not None and short.value is Value.SHORT:
        return token[1], short, token[2:] or None
    return None


def _is_whole(name: str, row: Option, dashes: int, equals: bool) -> bool:
    """Say whether a token whose text up to `=` is `name` is the option of that row, not a short one with its value."""
    if row.value is Value.SHORT:
        return dashes == 1 and not equals
    return not (dashes == 1 and name.startswith("o")) and not (equals and row.value is Value.NONE)
