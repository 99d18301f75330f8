"""Bytes of numbers, by where the bytes begin among which they are: a text beside numbers is none of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ir.constants import Constant
from ...ir.graphs import reachable
from ...ir.instructions import CHOICES
from ...ir.types import IntType
from ...ir.values import Instruction, Value
from ..type_analysis.analysis import TypeAnalysis
from ..type_analysis.evidence.places import WORD


def is_byte_of_number(types: TypeAnalysis, place: Value, size: int) -> bool:
    """Returns whether so few bytes are a part of a number: by themselves, or among bytes that begin with a number.

    Loops over bytes make their places look as if integers lay there. A text in a struct of numbers begins with none.
    """
    there = types.contents(place, size)
    if there.may_be_known_numbers:
        return True
    return there.may_be_part_of_number and any(types.contents(p, WORD).may_be_known_numbers for p in _beginnings(place))


def _beginnings(place: Value) -> Iterator[Value]:
    """Yields the pointers from which loops come to the place by single integers: bytes, or two at a time."""
    return (p for p in reachable([place], _before) if not list(_before(p)))


def _before(pointer: Value) -> Iterable[Value]:
    if not isinstance(pointer, Instruction):
        return ()
    if pointer.opcode in CHOICES:
        return pointer.operands[1:] if pointer.opcode == "select" else [v for v, _ in pointer.incoming]
    is_step = pointer.opcode == "getelementptr" and isinstance(pointer.source_type, IntType)
    return pointer.operands[:1] if is_step and _is_variable(pointer) else ()


def _is_variable(step: Instruction) -> bool:
    """Returns whether it steps by a variable, or on from the place of an iteration."""
    base, index = step.operands[:2]
    return not isinstance(index, Constant) or (isinstance(base, Instruction) and base.opcode in CHOICES)
