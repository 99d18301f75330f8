"""LLVM IR types as frozen values, and the x86-64 data layout that gives their sizes, alignments and field offsets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Type:
    """Base of every IR type; equality is structural, `str` gives LLVM's spelling."""


@dataclass(frozen=True)
class VoidType(Type):
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class OpaqueKeyword(Type):
    """A type that is one keyword without further structure: label, metadata, token, x86_amx."""

    keyword: str

    def __str__(self) -> str:
        return self.keyword


@dataclass(frozen=True)
class IntType(Type):
    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


#: keyword of each floating-point type: (size in bits that carry a value, store size in bytes, alignment)
FLOAT_KINDS = {
    "half": (16, 2, 2),
    "bfloat": (16, 2, 2),
    "float": (32, 4, 4),
    "double": (64, 8, 8),
    "x86_fp80": (80, 10, 16),
    "fp128": (128, 16, 16),
    "ppc_fp128": (128, 16, 16),
}


@dataclass(frozen=True)
class FloatType(Type):
    kind: str

    @property
    def bits(self) -> int:
        return FLOAT_KINDS[self.kind][0]

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class PointerType(Type):
    addrspace: int = 0

    def __str__(self) -> str:
        return f"ptr addrspace({self.addrspace})" if self.addrspace else "ptr"


@dataclass(frozen=True)
class VectorType(Type):
    element: Type
    count: int
    scalable: bool = False

    def __str__(self) -> str:
        return f"<{'vscale x ' if self.scalable else ''}{self.count} x {self.element}>"


@dataclass(frozen=True)
class ArrayType(Type):
    element: Type
    count: int

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True)
class StructType(Type):
    fields: tuple[Type, ...]
    packed: bool = False

    def __str__(self) -> str:
        inner = "{ " + ", ".join(map(str, self.fields)) + " }" if self.fields else "{}"
        return f"<{inner}>" if self.packed else inner


class NamedStruct(Type):
    """An identified struct, `%name` in the text; identity is the object (one per name and module).

    `body` is None while the struct is opaque.
    """

    __slots__ = ("body", "name")

    def __init__(self, name: str, body: StructType | None = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "body", body)

    name: str
    body: StructType | None

    def define(self, body: StructType) -> None:
        object.__setattr__(self, "body", body)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"NamedStruct({self.name})"

    def __str__(self) -> str:
        return self.name  # with its leading % and its quotes, as printed


@dataclass(frozen=True)
class FunctionType(Type):
    result: Type
    params: tuple[Type, ...]
    vararg: bool = False

    def __str__(self) -> str:
        params = [*map(str, self.params), *(["..."] if self.vararg else [])]
        return f"{self.result} ({', '.join(params)})"


@dataclass(frozen=True)
class TargetType(Type):
    """`target("name", …)`, kept as text."""

    text: str

    def __str__(self) -> str:
        return self.text


VOID = VoidType()
LABEL = OpaqueKeyword("label")
METADATA = OpaqueKeyword("metadata")
TOKEN = OpaqueKeyword("token")
I1, I8, I16, I32, I64, I128 = (IntType(n) for n in (1, 8, 16, 32, 64, 128))
HALF, FLOAT, DOUBLE, X86_FP80, FP128 = (FloatType(k) for k in ("half", "float", "double", "x86_fp80", "fp128"))
PTR = PointerType()


def struct_fields(type_: Type) -> tuple[Type, ...]:
    """Returns the field types of a struct, literal or identified. Raises TypeError for anything else."""
    body = struct_body(type_)
    return body.fields


def holds(type_: Type, kind: type[Type]) -> bool:
    """Returns whether a value of the type has a part of the kind (FloatType, PointerType)."""
    if isinstance(type_, VectorType | ArrayType):
        return holds(type_.element, kind)
    if isinstance(type_, StructType | NamedStruct):
        return any(holds(f, kind) for f in struct_fields(type_))
    return isinstance(type_, kind)


def indexed_type(aggregate: Type, indices: Iterable[int]) -> Type:
    """Returns the type that extractvalue finds at these indices. Raises TypeError or IndexError if there is none."""
    for index in indices:
        aggregate = aggregate.element if isinstance(aggregate, ArrayType) else struct_fields(aggregate)[index]
    return aggregate


def with_same_shape(element: Type, shape: Type) -> Type:
    """Returns `element`, or the vector of it that has as many elements as `shape`."""
    return VectorType(element, shape.count, shape.scalable) if isinstance(shape, VectorType) else element


def struct_body(type_: Type) -> StructType:
    if isinstance(type_, NamedStruct) and type_.body is not None:
        return type_.body
    if isinstance(type_, StructType):
        return type_
    raise TypeError(f"{type_} is not a struct with a known body")


def is_opaque(type_: Type) -> bool:
    """True for a struct whose body the module does not know."""
    return isinstance(type_, NamedStruct) and type_.body is None


def has_elements(type_: Type) -> bool:
    """True for an array, a vector, or a struct whose body is known."""
    if isinstance(type_, NamedStruct):
        return type_.body is not None
    return isinstance(type_, ArrayType | VectorType | StructType)


def element_count(type_: Type) -> int:
    """Returns the number of elements of an array, vector or struct."""
    return type_.count if isinstance(type_, ArrayType | VectorType) else len(struct_fields(type_))


def is_float(type_: Type) -> bool:
    """True for a floating-point scalar or a vector of them."""
    return isinstance(scalar(type_), FloatType)


def is_int(type_: Type) -> bool:
    return isinstance(scalar(type_), IntType)


def is_pointer(type_: Type) -> bool:
    return isinstance(scalar(type_), PointerType)


def is_aggregate(type_: Type) -> bool:
    return isinstance(type_, ArrayType | StructType | NamedStruct)


def scalar(type_: Type) -> Type:
    """Returns the element type of a vector, and any other type itself."""
    return type_.element if isinstance(type_, VectorType) else type_


def align_up(offset: int, alignment: int) -> int:
    return (offset + alignment - 1) // alignment * alignment


@cache
def store_size(type_: Type) -> int:
    """Returns the number of bytes that a store of the type writes (x86-64)."""
    if isinstance(type_, IntType):
        return (type_.bits + 7) // 8
    if isinstance(type_, FloatType):
        return FLOAT_KINDS[type_.kind][1]
    if isinstance(type_, VectorType):
        element = scalar(type_)
        bits = element.bits if isinstance(element, IntType) else 8 * store_size(element)
        return (bits * type_.count + 7) // 8
    return alloc_size(type_)


@cache
def alignment(type_: Type) -> int:
    """Returns the ABI alignment in bytes (x86-64)."""
    if isinstance(type_, IntType):
        size = store_size(type_)
        return min(16, 1 << (size - 1).bit_length()) if size else 1
    if isinstance(type_, FloatType):
        return FLOAT_KINDS[type_.kind][2]
    if isinstance(type_, PointerType):
        return 8
    if isinstance(type_, VectorType):
        size = store_size(type_)
        return 1 << (size - 1).bit_length() if size else 1
    if isinstance(type_, ArrayType):
        return alignment(type_.element)
    body = struct_body(type_)
    return 1 if body.packed else max((alignment(f) for f in body.fields), default=1)


@cache
def alloc_size(type_: Type) -> int:
    """Returns the distance in bytes between neighbouring elements of the type in memory (x86-64)."""
    if isinstance(type_, PointerType):
        return 8
    if isinstance(type_, IntType | FloatType | VectorType):
        return align_up(store_size(type_), alignment(type_))
    if isinstance(type_, ArrayType):
        return type_.count * alloc_size(type_.element)
    body = struct_body(type_)
    end = 0
    for field, offset in zip(body.fields, field_offsets(type_), strict=True):
        end = offset + alloc_size(field)
    return align_up(end, alignment(type_))


@cache
def field_offsets(type_: Type) -> tuple[int, ...]:
    """Returns the byte offset of each field of a struct."""
    body = struct_body(type_)
    offsets, offset = [], 0
    for field in body.fields:
        if not body.packed:
            offset = align_up(offset, alignment(field))
        offsets.append(offset)
        offset += alloc_size(field)
    return tuple(offsets)


def in_words(type_: Type) -> str:
    """Returns a type as messages spell it."""
    match type_:
        case IntType(bits):
            return f"{bits}-bit integer"
        case PointerType():
            return "pointer"
    return str(type_)
