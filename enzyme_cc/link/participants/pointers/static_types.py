"""The static types of the objects in virtual calls, and which classes derive from which.

clang names the pointee in the access type of a pointer's load or store (`p1 _ZTS4Base`), if it optimises. An object may
be the result of a function, such as the arrow of a smart pointer: then the callee's body tells. Descriptions of types
(`_ZTI`) name the bases of each class (Itanium C++ ABI 2.9.5). Classes are named by their mangled names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from msgspec import Struct, field

from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import NAME, ModuleText, unquoted

_LOCAL = rf"%{NAME}"
_POINTER_TYPE = re.compile(r'^!(\d+) = !\{!"(?:p1 _ZTS([^"]+)|(vtable pointer))"', re.M)
_TAG = re.compile(r"^!(\d+) = !\{!\d+, !(\d+), i64 ", re.M)
_TAGGED = re.compile(r" !tbaa !(\d+)")
_DEFINED = re.compile(rf"^  ({_LOCAL}) = (.*)$", re.M)
_RETURNED = re.compile(rf"^  ret ptr ({_LOCAL})", re.M)
_LOADED = re.compile(rf"load ptr, ptr ({_LOCAL})(?=,|$)")
_MOVED = re.compile(rf"getelementptr (?:inbounds )?(?:nuw )?i8, ptr ({_LOCAL}),")
_CHOSEN = re.compile(rf"[\[ ]({_LOCAL}), (?={_LOCAL} \])")
_CALLED = re.compile(rf"(?:call|invoke) [^@%\"\n]*@({NAME})\((.*)")
_CAST = "__dynamic_cast"
_DESCRIPTION = "_ZTI"
#: in the descriptions of classes, names in namespace std begin so: they derive from no class of the program
_STANDARD = ("S", "NS", "N10__cxxabiv1")
_VTABLE_POINTER = "vtable pointer"


class StaticTypes(Struct, dict=True):
    """The static types in one module."""

    module: ModuleText
    _of_results: dict[str, str | None] = field(default_factory=dict)

    def of(self, text: str, value: str) -> str | None:
        """Returns the class of the object that a local value of a function points at. None if nothing tells it."""
        return self._of(text, _definitions(text), value)

    def is_vtable(self, text: str, value: str) -> bool:
        """True if a local value was loaded as a pointer to a vtable."""
        return self._tagged(_definitions(text).get(value, "")) == _VTABLE_POINTER

    @staticmethod
    def is_chosen(text: str, value: str) -> bool:
        """True if a local value is one of several, by the way that control took."""
        return _definitions(text).get(value, "").startswith(("phi ", "select "))

    def _of(self, text: str, defined: Mapping[str, str], value: str) -> str | None:
        line = defined.get(value, "")
        if loaded := _LOADED.match(line):
            return self._tagged(line) or self._stored(text, loaded[1])
        if moved := _MOVED.match(line):
            return self._of(text, defined, moved[1])
        if line.startswith("phi "):
            found = {self._of(text, defined, chosen) for chosen in _CHOSEN.findall(line) if chosen != value}
            return found.pop() if len(found) == 1 else None
        called = _CALLED.search(line)
        return self._result(unquoted(called[1]), called[2]) if called else None

    def _tagged(self, line: str) -> str | None:
        tag = _TAGGED.search(line)
        return self._tags.get(tag[1]) if tag else None

    def _stored(self, text: str, place: str) -> str | None:
        """Returns the class of what is stored at a place: loads of `this` have no access type."""
        found = re.search(rf"^  store ptr [^,\n]+, ptr {re.escape(place)}, .*", text, re.M)
        return self._tagged(found[0]) if found else None

    def _result(self, callee: str, arguments: str) -> str | None:
        if callee == _CAST:
            target = re.findall(rf"@{_DESCRIPTION}({NAME})", arguments)
            return target[1] if len(target) == 2 else None
        if callee not in self._of_results:
            self._of_results[callee] = None  # for calls in circles
            entity = self.module.entities.get(callee)
            if entity is not None and entity.is_definition and entity.is_function:
                text = self.module.of(entity)
                returned = set(_RETURNED.findall(text))
                if len(returned) == 1:
                    self._of_results[callee] = self.of(text, returned.pop())
        return self._of_results[callee]

    @cached_property
    def _tags(self) -> dict[str, str]:
        """The classes by the numbers of access tags."""
        types = {number: name or _VTABLE_POINTER for number, name, _ in _POINTER_TYPE.findall(self.module.text)}
        return {tag: types[type_] for tag, type_ in _TAG.findall(self.module.text) if type_ in types}


@lru_cache(maxsize=16)
def _definitions(text: str) -> Mapping[str, str]:
    """Returns the instructions of a function by the values that they define."""
    return dict(_DEFINED.findall(text))


class ClassHierarchy:
    """The classes of all modules."""

    def __init__(self, modules: Iterable[ModuleText]) -> None:
        self._derived: dict[str, set[str]] = {}
        self._known: set[str] = set()
        self._found: dict[str, frozenset[str]] = {}
        for module in modules:
            for entity in module.entities.values():
                if entity.is_definition and entity.name.startswith(_DESCRIPTION):
                    self._known.add(entity.name.removeprefix(_DESCRIPTION))
                    for base in self._bases(module.references(entity)):
                        self._derived.setdefault(base, set()).add(entity.name.removeprefix(_DESCRIPTION))

    @staticmethod
    def _bases(references: Iterable[str]) -> Iterator[str]:
        return (name.removeprefix(_DESCRIPTION) for name in references if name.startswith(_DESCRIPTION))

    def is_class(self, name: str) -> bool:
        """False for a type that no module describes: the program may use it as a handle for objects of any class."""
        return name in self._known or name in self._derived or name.startswith(_STANDARD)

    def derived(self, name: str) -> frozenset[str]:
        """Returns the class and all that may derive from it: also those with a base of which no bitcode is known."""
        if name not in self._found:
            self._found[name] = frozenset(reachable([name, *self._unknown], lambda base: self._derived.get(base, ())))
        return self._found[name]

    @cached_property
    def _unknown(self) -> list[str]:
        return [base for base in self._derived if base not in self._known and not base.startswith(_STANDARD)]
