"""Finds integers that are stored where numbers lie."""

from __future__ import annotations

from ....analysis.integers.bits import COMPUTING, width
from ....analysis.type_analysis.analysis import Kind, TypeAnalysis
from ....ir.instructions import CHOICES
from ....ir.types import DOUBLE, FLOAT, FloatType, IntType, Type, store_size
from ....ir.values import Function, Instruction, Value

TYPES: dict[tuple[Kind | None, int], FloatType] = {(Kind.DOUBLE, 64): DOUBLE, (Kind.FLOAT, 32): FLOAT}
INTEGERS = frozenset(IntType(bits) for _, bits in TYPES)
_COMPUTED = COMPUTING | CHOICES


def stores_among_numbers(function: Function, types: TypeAnalysis) -> dict[Instruction, FloatType]:
    """Returns the stores of integers that arithmetic makes, in memory that otherwise holds numbers of this type."""
    found: dict[Instruction, FloatType] = {}
    for i in function.instructions():
        value = i.operands[0] if i.opcode == "store" else None
        if not isinstance(value, Instruction) or value.opcode not in _COMPUTED or value.type not in INTEGERS:
            continue
        if types.is_near_numbers(i.operands[1]) and not types.number_flow.is_made_of_integers(value):
            number = TYPES.get((kind_in(types, i.operands[1], value.type), width(value.type)))
            if number is not None:
                found[i] = number
    return found


def kind_in(types: TypeAnalysis, place: Value, type_: Type) -> Kind | None:
    """Returns the only kind that lies there beside integers: these may be bits of numbers that the code looks at."""
    kinds = frozenset().union(*types.words([place], store_size(type_)))
    return next(iter(kinds)) if len(kinds) == 1 else None
