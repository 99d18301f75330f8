"""Vtables of C++ and binding tables of Fortran in LLVM's text: which functions stand in which slots.

In a vtable (Itanium C++ ABI 2.5), slot 0 is the one that an object's pointer points at. It follows the entry for the
type's description. Before that entry stand the distance to the whole object and, with virtual bases, the distances to
these. flang makes a table of the type-bound procedures of each derived type; its slots begin with the first entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PREFIXES = ("_ZTV", "_ZTC")
VTABLE_DEFINITION = re.compile(rf"^@(?:{'|'.join(_PREFIXES)})[\w.]* = .*$", re.MULTILINE)
_ARRAY = re.compile(r"\[\d+ x ptr\] \[(ptr [^\]]*)\]")
_ENTRY = re.compile(r'ptr (?:(@(?:[-\w$.]+|"[^"]*"))|null|\w+ \([^()]*\))')
#: flang's name for a table of bindings; a procedure in one
_BINDING_TABLE = re.compile(r"_Q\w+EXvX\w+$")
_BINDING = re.compile(
    r"T__builtin_c_funptr(?:\.\d+)? "
    r'(?:zeroinitializer|\{ i64 (?:ptrtoint \(ptr (@[-\w$.]+|@"[^"]*") to i64\)|[^}]*) \})'
)
_TYPE_DESCRIPTION = "@_ZTI"
_CLASS = re.compile(r'@"?_ZTI([^\s",)]+)')


def is_vtable(name: str) -> bool:
    """Returns whether a global is a vtable, by its symbol name. Objects with virtual bases begin with another one."""
    return name.startswith(_PREFIXES)


def class_of_vtable(text: str) -> str:
    """Returns the mangled name of the class of a vtable, given as the text of its definition; "" if it is unknown."""
    found = _CLASS.search(text)
    return found[1] if found else ""


def vtable_slots(text: str) -> Iterator[tuple[str, int]]:
    """Yields the functions of a vtable, given as the text of its definition, with their slots."""
    for array in _ARRAY.findall(text):
        entries = _ENTRY.findall(array)
        for slot, name in enumerate(entries[_first_slot(entries) :]):
            if name:
                yield name, slot


def is_binding_table(name: str) -> bool:
    """Returns whether a global is a table of the type-bound procedures of a derived type, by its symbol name."""
    return _BINDING_TABLE.match(name) is not None


def binding_slots(text: str) -> Iterator[tuple[str, int]]:
    """Yields the procedures of a binding table, given as the text of its definition, with their slots."""
    yield from ((name, slot) for slot, name in enumerate(_BINDING.findall(text)) if name)


def _first_slot(entries: list[str]) -> int:
    described = [k for k, name in enumerate(entries) if name.startswith(_TYPE_DESCRIPTION)]
    if described:
        return described[-1] + 1
    return next((k for k, name in enumerate(entries) if name), len(entries))  # compiled with -fno-rtti
