"""Parts that several forms of instructions share: flags, numbers, pointer types, and types in the shape of a vector."""

from __future__ import annotations

from collections.abc import Callable

from ..types import PTR, PointerType, Type, with_same_shape
from ..values import Instruction
from .lexer import Unexpected
from .operands import Operands

Parsed = tuple[Instruction, int]

FAST_MATH = frozenset(["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"])
FLAGS = FAST_MATH | {"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw"}


ParseFunction = Callable[[Operands, list[str], int, str], Parsed]


def parse_flags(t: list[str], i: int, words: frozenset[str] = FLAGS) -> tuple[tuple[str, ...], int]:
    """Parses the words at index i, as many as there are."""
    if t[i] not in words:
        return (), i
    start = i
    while t[i] in words:
        i += 1
    return tuple(t[start:i]), i


def parse_number(t: list[str], i: int) -> int:
    """Returns the number at index i. Raises Unexpected if there is none."""
    if not t[i].isdigit():
        raise Unexpected(f"expected a number, found '{t[i]}'", i)
    return int(t[i])


def with_shape(p: Operands, element: Type, shape: Type) -> Type:
    """Returns `element`, or the vector of it with as many elements as `shape`."""
    return p.context.intern(with_same_shape(element, shape))


def pointer_type(p: Operands, addrspace: str, i: int) -> Type:
    """Returns the pointer type of `addrspace(N)`; the plain one for ""."""
    if not addrspace:
        return PTR
    number = addrspace[len("addrspace(") : -1]
    if not number.isdigit():
        raise Unexpected(f"expected the number of an address space, found '{addrspace}'", i)
    return p.context.intern(PointerType(int(number)))
