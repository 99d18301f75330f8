"""The base of all values, and constants: values without identity, compared by content.

A constant has no use list. `str` gives its text without the type, as it stands in LLVM's text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .instructions import CASTS
from .types import I1, PTR, ArrayType, Type, VectorType, struct_body


class Value:
    """Anything an instruction can have as an operand. `type` is its IR type."""

    __slots__ = ("type",)
    type: Type


@dataclass(frozen=True)
class Constant(Value):
    """Base of constants; `str` gives the text without the type."""

    __slots__ = ()
    type: Type


@dataclass(frozen=True)
class ConstantInt(Constant):
    """An integer; i1 is 0 or 1. `value` is signed, as LLVM prints it."""

    value: int

    def __str__(self) -> str:
        if self.type == I1:
            return "true" if self.value else "false"
        return str(self.value)


@dataclass(frozen=True)
class ConstantFloat(Constant):
    """A floating-point literal, as LLVM spells it (decimal, or 0x… for exact bits): `text` round-trips."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ConstantWord(Constant):
    """A constant that is one keyword: null, undef, poison, zeroinitializer, none."""

    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True)
class ConstantAggregate(Constant):
    """An array, struct or vector constant with its elements."""

    elements: tuple[Constant, ...]

    def __str__(self) -> str:
        opening, closing = brackets(self.type)
        return opening + ", ".join(map(typed, self.elements)) + closing


@dataclass(frozen=True)
class ConstantSplat(Constant):
    """`splat (T v)`: a vector of equal elements."""

    element: Constant

    def __str__(self) -> str:
        return f"splat ({typed(self.element)})"


@dataclass(frozen=True)
class ConstantString(Constant):
    """`c"…"`, the escaped text kept as printed (without c and quotes)."""

    text: str

    def __str__(self) -> str:
        return f'c"{self.text}"'


@dataclass(frozen=True)
class GlobalRef(Constant):
    """A reference to a function or global variable; `name` as printed with @ (quotes included where needed)."""

    name: str

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def of(name: str) -> GlobalRef:
        return GlobalRef(PTR, name)


@dataclass(frozen=True)
class ConstantExpr(Constant):
    """A constant expression: opcode, operands, source element type of a getelementptr, flags in order of printing."""

    opcode: str
    operands: tuple[Constant, ...]
    source: Type | None = None
    flags: tuple[str, ...] = ()

    def __str__(self) -> str:
        inner = [str(self.source)] if self.source is not None else []
        inner += map(typed, self.operands)
        target = f" to {self.type}" if self.opcode in CASTS else ""
        return f"{' '.join((self.opcode, *self.flags))} ({', '.join(inner)}{target})"


@dataclass(frozen=True)
class ConstantText(Constant):
    """Any other constant, as text: blockaddress, dso_local_equivalent, ptrauth, …"""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class InlineAsm(Constant):
    """`asm sideeffect "…", "…"`, as text; only ever a callee."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class MetadataOperand(Constant):
    """An operand of type metadata, as text without the leading `metadata`."""

    text: str

    def __str__(self) -> str:
        return self.text


def typed(constant: Constant) -> str:
    """Returns a constant with its type, as it stands in an operand list."""
    return f"{constant.type} {constant}"


def brackets(type_: Type) -> tuple[str, str]:
    """Returns the text before and after the elements of an array, vector or struct constant."""
    if isinstance(type_, ArrayType):
        return "[", "]"
    if isinstance(type_, VectorType):
        return "<", ">"
    return ("<{ ", " }>") if struct_body(type_).packed else ("{ ", " }")


def references(constant: object) -> Iterator[str]:
    """Yields the names of the globals and functions in a constant."""
    if isinstance(constant, GlobalRef):
        yield constant.name
    elif isinstance(constant, ConstantExpr):
        for operand in constant.operands:
            yield from references(operand)
    elif isinstance(constant, ConstantAggregate):
        for element in constant.elements:
            yield from references(element)
    elif isinstance(constant, ConstantSplat):
        yield from references(constant.element)
