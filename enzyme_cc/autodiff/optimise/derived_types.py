"""Reads flang's tables of a program's derived types: the offset, rank and type of each component.

Flang emits the tables as constants of types of its module __fortran_type_info, which
toolchain/stand_ins/fortran_derived.h declares too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from msgspec import Struct

from ...ir.constants import Constant, ConstantAggregate, ConstantInt, GlobalRef
from ...ir.module import Module
from ...ir.values import GlobalVariable

_TABLE = re.compile(r"^(@[-\w.$]+) = [^\n{]*\bconstant %_QM__fortran_type_infoTderivedtype[.\d]* \{", re.MULTILINE)
_OF_FLANG = "@_QM__fortran"
#: fields of a derived type
_BYTES, _COMPONENTS, _SPECIAL, _HAS_PARENT = 2, 6, 9, 10
#: fields of a component
_GENRE, _CATEGORY, _KIND, _RANK, _OFFSET, _DERIVED = 1, 2, 3, 4, 6, 8
_DATA, _CATEGORY_DERIVED = 1, 6
#: codes of element types in descriptors, by category and kind, as in type_code of stand_ins/fortran_derived.h
_CODES = {
    **{(0, kind): code for kind, code in ((1, 7), (2, 8), (4, 9), (8, 10))},
    **{(2, kind): code for kind, code in ((4, 27), (8, 28), (10, 29))},
    **{(3, kind): code for kind, code in ((4, 34), (8, 35), (10, 36))},
    (4, 1): 40,
    **{(5, kind): code for kind, code in ((1, 39), (2, 13), (4, 14), (8, 15))},
}
#: bits of the special procedures that define assignment
_ASSIGNMENTS = 0b110


def tables(text: str) -> list[str]:
    """Returns the names of the derived types' tables in a module's text, except those of flang's own types."""
    return [name for name in _TABLE.findall(text) if not name.startswith(_OF_FLANG)]


class Component(Struct, frozen=True):
    """A component of a derived type: data in place, or a descriptor.

    `derived`: the table of its type, if any. `code`: of its type in descriptors; -1 for derived types and rare kinds.
    """

    offset: int
    rank: int
    is_data: bool
    is_derived: bool
    derived: str | None
    code: int = -1


class DerivedType(Struct, frozen=True):
    """A derived type. `name` is that of its table; components are in the order of their offsets."""

    name: str
    bytes: int
    components: tuple[Component, ...]
    parent: str | None
    defines_assignment: bool


class DerivedTypes:
    """The derived types of a module, by the names of their tables."""

    def __init__(self, module: Module, names: Iterable[str]) -> None:
        variables = (module.globals[name] for name in names)
        self.types = {v.name: _derived_type(module, v) for v in variables if _is_complete(v)}
        self._extended = {type_.parent for type_ in self.types.values()}

    def is_extended(self, name: str) -> bool:
        """True if other types of the program extend it: what is declared with this type may then have one of those."""
        return name in self._extended

    @property
    def define_assignment(self) -> bool:
        """True if any type of the program has a procedure for assignment."""
        return any(type_.defines_assignment for type_ in self.types.values())

    def descriptors_at(self, offset: int, size: int | None, among: Container[str] = ()) -> Iterator[Component]:
        """Yields the components with a descriptor at that offset in an element.

        Only types of that size count, if it is known, and those `among` the names, if there are any.
        """
        for type_ in self.types.values():
            if (size is None or type_.bytes == size) and (not among or type_.name in among):
                yield from self._descriptors(type_, offset)

    def _descriptors(self, type_: DerivedType, offset: int) -> Iterator[Component]:
        ends = [*(component.offset for component in type_.components[1:]), type_.bytes]
        for component, end in zip(type_.components, ends, strict=False):
            inner = self.types.get(component.derived or "")
            if not component.is_data and component.offset == offset:
                yield component
            elif component.is_data and inner is not None and inner.bytes and component.offset <= offset < end:
                yield from self._descriptors(inner, (offset - component.offset) % inner.bytes)


def _is_complete(variable: GlobalVariable) -> bool:
    """Returns False for the table of a type with parameters. Tables of types with their values stand beside it."""
    fields = _elements(variable.initializer)
    return len(fields) > _COMPONENTS and bool(_elements(fields[_COMPONENTS]))


def _derived_type(module: Module, variable: GlobalVariable) -> DerivedType:
    fields = _elements(variable.initializer)
    table = _name(_elements(fields[_COMPONENTS])[0])
    found = _elements(module.globals[table].initializer) if table is not None and table in module.globals else ()
    components = tuple(sorted((_component(_elements(c)) for c in found), key=lambda c: c.offset))
    parent = components[0].derived if components and _number(fields[_HAS_PARENT]) else None
    assigns = bool(_number(fields[_SPECIAL]) & _ASSIGNMENTS)
    return DerivedType(variable.name, _number(fields[_BYTES]), components, parent, assigns)


def _component(fields: tuple[Constant, ...]) -> Component:
    return Component(
        offset=_number(fields[_OFFSET]),
        rank=_number(fields[_RANK]),
        is_data=_number(fields[_GENRE]) == _DATA,
        is_derived=_number(fields[_CATEGORY]) == _CATEGORY_DERIVED,
        derived=_name(_elements(fields[_DERIVED])[0]),
        code=_CODES.get((_number(fields[_CATEGORY]), _number(fields[_KIND])), -1),
    )


def _elements(constant: Constant | None) -> tuple[Constant, ...]:
    return constant.elements if isinstance(constant, ConstantAggregate) else ()


def _name(constant: Constant) -> str | None:
    return constant.name if isinstance(constant, GlobalRef) else None


def _number(constant: Constant) -> int:
    return constant.value if isinstance(constant, ConstantInt) else 0
