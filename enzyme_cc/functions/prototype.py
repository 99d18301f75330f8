"""The prototype of a compiled function, as values: what its debug information says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class NumberType(NamedTuple):
    """A number in memory.

    `dtype` is NumPy's name, `c` the C type, `code` the letter of the buffer protocol, and `size` is in bytes. `kind` is
    NumPy's letter: f, c, i, u or b.
    """

    dtype: str
    c: str
    code: str
    size: int
    kind: str

    @property
    def is_active(self) -> bool:
        """True if numbers of this type have derivatives."""
        return self.kind in "fc"

    def numpy_dtype(self) -> Any:
        """Returns the type of NumPy."""
        import numpy

        return numpy.dtype(self.dtype)


NUMBERS = {
    number.dtype: number
    for number in [
        NumberType("float64", "double", "d", 8, "f"),
        NumberType("float32", "float", "f", 4, "f"),
        NumberType("complex128", "double _Complex", "Zd", 16, "c"),
        NumberType("complex64", "float _Complex", "Zf", 8, "c"),
        NumberType("int8", "int8_t", "b", 1, "i"),
        NumberType("int16", "int16_t", "h", 2, "i"),
        NumberType("int32", "int32_t", "i", 4, "i"),
        NumberType("int64", "int64_t", "q", 8, "i"),
        NumberType("uint8", "uint8_t", "B", 1, "u"),
        NumberType("uint16", "uint16_t", "H", 2, "u"),
        NumberType("uint32", "uint32_t", "I", 4, "u"),
        NumberType("uint64", "uint64_t", "Q", 8, "u"),
        NumberType("bool", "bool", "?", 1, "b"),
    ]
}


#: a pointer that Python passes on and does not look into
POINTER = NumberType("uint64", "void *", "Q", 8, "u")


class Field(NamedTuple):
    """A member of a struct: an array of numbers or structs where `shape` is not empty. `offset` is in bytes."""

    name: str
    element: Element
    offset: int
    shape: tuple[int, ...] = ()


class RecordType(NamedTuple):
    """A struct of numbers and structs."""

    name: str
    fields: tuple[Field, ...]
    size: int

    @property
    def is_active(self) -> bool:
        """True if a member has derivatives."""
        return any(field.element.is_active for field in self.fields)

    @property
    def kind(self) -> str:
        """NumPy's letter for structs."""
        return "V"

    @property
    def dtype(self) -> str:
        """The struct's name, for messages."""
        return f"struct {self.name}" if self.name else "struct"

    def numpy_dtype(self) -> Any:
        """Returns the structured type of NumPy, with C's offsets and size."""
        import numpy

        return numpy.dtype(
            {
                "names": [field.name for field in self.fields],
                "formats": [(field.element.numpy_dtype(), field.shape) for field in self.fields],
                "offsets": [field.offset for field in self.fields],
                "itemsize": self.size,
            }
        )


Element = NumberType | RecordType


class CType(NamedTuple):
    """The type of a parameter or result.

    `text` is as the source spells it. `element` is the number or struct that is passed, or that a pointer points at;
    None for all else. `is_pointer` is true for pointers, references, arrays, and what Fortran passes by reference.
    `lengths` are the lengths of an array as far as the type fixes them, `descriptor_rank` the rank of a Fortran array
    that is passed with a descriptor. `is_text` is true for a character of Fortran: `lengths` has its length, if that is
    fixed, and one more argument, behind all others, passes it. `function` has
    the result and the parameters of a function that is pointed at; of a Fortran procedure, nothing is known
    (`is_fortran_procedure`).
    """

    text: str
    element: Element | None
    is_pointer: bool = False
    is_const: bool = False
    lengths: tuple[int | None, ...] = ()
    descriptor_rank: int = 0
    function: tuple[CType, ...] = ()
    is_fortran_procedure: bool = False
    is_text: bool = False

    @property
    def is_c_text(self) -> bool:
        """True for a pointer to characters, which may be a text that ends with a zero."""
        is_character = self.element is not None and self.element.dtype in ("int8", "uint8")
        return is_character and self.is_pointer and not self.lengths

    @property
    def is_void(self) -> bool:
        """True for the result of a function that returns nothing."""
        return self.text == "void"

    @property
    def is_integer(self) -> bool:
        """True for one integer, by value or by Fortran's reference."""
        return self.element is not None and self.element.kind in "iu" and not self.lengths


VOID = CType("void", None)


class LibraryVariable(NamedTuple):
    """A variable. `name` has its module, COMMON block or namespace; it lies `offset` bytes behind its symbol."""

    name: str
    symbol: str
    offset: int
    type: CType
    is_fortran: bool


def variable_called(name: str, known: Mapping[str, LibraryVariable]) -> LibraryVariable:
    """Returns a variable by its name; Fortran's are the same in small and large letters. Raises `LookupError`."""
    found = known.get(name) or known.get(name.lower())
    if found is None or not (found.name == name or found.is_fortran):
        from enzyme_cc.report.spelling import did_you_mean

        near = did_you_mean(name, known)
        raise LookupError(f"there is no variable {name} of numbers that other files can name; {near}".rstrip("; "))
    return found


#: what a pointer points at where there is no debug information
UNKNOWN = "unknown"


class CPrototype(NamedTuple):
    """A function that a compiler compiled. `symbol` is its name for the linker, `location` its file and line.

    `processor` is the processor that it is compiled for, the one that it is tuned for, and the first one's features, as
    LLVM calls them.
    """

    name: str
    symbol: str
    language: str
    result: CType
    parameters: tuple[tuple[str, CType], ...]
    location: str = ""
    processor: tuple[str, str, str] = ("", "", "")

    @property
    def is_fortran(self) -> bool:
        """True for Fortran: arrays are column-major, and arguments are passed by reference."""
        return self.language == "fortran"

    def __str__(self) -> str:
        inside = ", ".join(_declared(type_.text, name) for name, type_ in self.parameters)
        result = self.result.text
        return (
            f"{self.name}({inside})" + f" -> {result}"
            if self.is_fortran
            else f"{_declared(result, self.name)}({inside})"
        )


def unnamed(position: int) -> str:
    """Returns what a parameter is called that has no name in debug information. The first one has position 1."""
    return f"argument{position}"


def _declared(type_: str, name: str) -> str:
    if " :: " in type_:
        return type_ + name
    return type_ + name if type_.endswith(("*", "&")) else f"{type_} {name}"


def leaves(element: Element, offset: int = 0) -> Iterator[tuple[int, NumberType]]:
    """Yields the numbers in an element with their offsets in bytes."""
    if isinstance(element, NumberType):
        yield offset, element
        return
    for field in element.fields:
        count = 1
        for extent in field.shape:
            count *= extent
        for i in range(count):
            yield from leaves(field.element, offset + field.offset + i * field.element.size)


def alignment(element: Element) -> int:
    """Returns the alignment of an element in bytes."""
    return max(number.size // (2 if number.kind == "c" else 1) for _, number in leaves(element))
