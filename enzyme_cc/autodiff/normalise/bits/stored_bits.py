"""Finds integers that are stored where numbers lie."""

from __future__ import annotations

from ....analysis.integers.bit_steps import COMPUTING, FRACTION, constant_int
from ....analysis.integers.bits import made_of
from ....analysis.type_analysis.analysis import Kind, TypeAnalysis
from ....ir.instructions import CHOICES, INTEGER_SUMS, SETS_BITS
from ....ir.types import DOUBLE, FLOAT, FloatType, IntType, Type, store_size
from ....ir.values import Function, Instruction, Value

KINDS = {DOUBLE: Kind.DOUBLE, FLOAT: Kind.FLOAT}
TYPES: dict[tuple[Kind | None, int], FloatType] = {(kind, number.bits): number for number, kind in KINDS.items()}
#: integers, and the numbers that have as many bits
_NUMBERS = {IntType(number.bits): number for number in TYPES.values()}
INTEGERS = frozenset(_NUMBERS)
_COMPUTED = COMPUTING | CHOICES


def stores_among_numbers(function: Function, types: TypeAnalysis) -> dict[Instruction, FloatType]:
    """Returns the stores of integers that arithmetic makes, in memory that otherwise holds numbers of this type."""
    found: dict[Instruction, FloatType] = {}
    for i in function.instructions():
        value = i.operands[0] if i.opcode == "store" else None
        if not isinstance(value, Instruction) or value.opcode not in _COMPUTED or value.type not in INTEGERS:
            continue
        number, place = _NUMBERS[value.type], i.operands[1]
        if not changes_exponent(value, number) and types.number_flow.is_made_of_integers(value):
            continue
        # last: what lies in memory takes longest to find
        kind = KINDS[number]
        if types.contents(place, None).is_near_numbers(frozenset([kind])) and kind_in(types, place, value.type) is kind:
            found[i] = number
    return found


def changes_exponent(value: Value, number: FloatType) -> bool:
    """Returns whether a sign or an exponent is computed on the way to the value: counters and flags have none.

    A block of memory may hold counters at one time and numbers at another.
    """
    return any(_has_exponent(i, number) for i in made_of([value]))


def _has_exponent(i: Instruction, number: FloatType) -> bool:
    constants = [c for c in map(constant_int, i.operands) if c is not None]
    return any(_sets_exponent(i.opcode, c, FRACTION[number], number.bits) for c in constants)


def _sets_exponent(opcode: str, constant: int, below: int, bits: int) -> bool:
    """Returns whether an operation with the constant changes bits above the fraction, which has `below` bits."""
    match opcode:
        case _ if opcode in INTEGER_SUMS:
            return min(constant, (1 << bits) - constant) >> below > 0
        case _ if opcode in CHOICES:  # of an addend
            return constant > 0 and constant % (1 << below) == 0
        case _ if opcode in SETS_BITS:
            return constant >> below > 0
        case "and":  # a mask of low bits makes an index, one of all other bits clears flags
            return 0 < constant >> (below - 1) < (1 << (bits - below + 1)) - 1
        case "shl":
            return constant >= below
    return False


def kind_in(types: TypeAnalysis, place: Value, type_: Type) -> Kind | None:
    """Returns the only kind that lies there beside integers: these may be bits of numbers that the code looks at."""
    return types.contents(place, store_size(type_)).only_kind
