"""Integers computed from the bits of floating-point numbers: what each holds, and how it depends on the number.

`bit_steps.py` says what one instruction leaves of the bits. Here the steps of a function are followed until nothing
changes, and questions are answered about the integers that become numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from ...ir.cfg import reverse_postorder
from ...ir.graphs import reachable
from ...ir.instructions import (
    CHOICES,
    COMPARISONS,
    FLOAT_TO_INTEGER,
    INTEGER_TO_FLOAT,
    LOGICAL_SHIFTS,
    SHIFTS,
    UNSIGNED_RESIZES,
    InstructionKind,
    of_kind,
)
from ...ir.types import FloatType
from ...ir.value_edges import SAME_PLACE, WHOLE_NUMBER
from ...ir.values import Function, Instruction, Value
from .bit_steps import (
    COMPUTING,
    FRACTION,
    NOTHING,
    RULES,
    UNCLEAR,
    Held,
    Part,
    constant_int,
    float_like,
    keeps_lanes,
    ones,
    slope_factor,
    takes_bits,
    takes_value,
    width,
    with_slope,
)
from .digits import conditions_of_choice
from .whole_numbers import WholeNumbers


class HeldBits:
    """The integers of a function that are computed from numbers without passing through memory.

    `order`: these instructions, in control-flow order; `held`: what each holds; `of_bits`: those that are computed from
    the bits of numbers, not from converted numbers; `steps`: those that round a number to a whole one; `stepped`: those
    that are computed from these.
    """

    def __init__(self, function: Function) -> None:
        instructions = [i for block in reverse_postorder(function.entry) for i in block.instructions]
        self.order = _dependent(instructions, lambda i: takes_bits(i) or takes_value(i))
        self.of_bits: set[Value] = set(_dependent(self.order, takes_bits))
        self.held: dict[Value, Held] = {}
        self._dependent: set[Value] = set(self.order)
        numbers = {i: float_like(i.operands[0].type) for i in self.order if takes_bits(i)}
        self.whole = WholeNumbers({i: FRACTION[number] for i, number in numbers.items() if number is not None})
        self.steps = [i for i in self.order if self.whole.rounds(i)]
        self.stepped: set[Value] = set(_dependent(self.order, self.steps.__contains__))
        self._analyse()

    def _analyse(self) -> None:
        """Applies the rules until nothing changes. A phi is first taken for what its known operands are."""
        for _ in range(_ROUNDS):
            before = dict(self.held)
            for i in self.order:
                found = self._found(i)
                if found is not None:
                    self.held[i] = with_slope(found, i)
            if self.held == before:
                return
        self.held = dict.fromkeys(self.order, UNCLEAR)

    def _found(self, i: Instruction) -> Held | None:
        rule = RULES.get(i.opcode)
        if rule is None or (i not in self.steps and i in self.stepped and i.opcode not in WHOLE_NUMBER):
            return UNCLEAR
        if i in self.steps:
            held = [self.get(o) for o in i.operands]
            return None if None in held else UNCLEAR if UNCLEAR in held else NOTHING
        found = rule(self.get, i)
        return replace(found, moved=False) if i in self.stepped and isinstance(found, Part) else found

    def get(self, value: Value) -> Held | None:
        """Returns what a value holds; None if that is not known yet."""
        return self.held.get(value) if value in self._dependent else NOTHING

    def factor(self, i: Instruction) -> Fraction:
        """Returns the factor by which the operation multiplies the slope."""
        return slope_factor(self.get, i)

    def is_made_of_digits(self, value: Value, number: FloatType) -> bool:
        """True if many comparisons of another number's fraction decide the fraction of a number with these bits.

        A root that is found bit by bit is smooth, though each of its bits is a step.
        """
        decisions: set[Instruction] = set()
        seen: dict[Value, int] = {}
        work = [(value, ones(0, FRACTION[number]))]
        while work:  # a value is visited again when more of its bits matter
            v, mask = work.pop()
            mask |= seen.get(v, 0)
            if not isinstance(v, Instruction) or mask == seen.get(v, 0) or v.opcode in ENDS:
                continue
            seen[v] = mask
            if v.opcode in CHOICES and any(map(self._decides, conditions_of_choice(v))):
                decisions.add(v)
            work += [(o, _reaching(v, mask) & ones(0, width(o.type))) for o in v.operands if width(o.type) > 1]
        return len(decisions) >= _DIGITS or any(_is_repeated(v, seen) for v in decisions)

    def _decides(self, condition: Value) -> bool:
        """True if the condition compares an integer that holds, or may hold, the fraction of a number."""
        operands = condition.operands if isinstance(condition, Instruction) and condition.opcode == "icmp" else []
        return any(o in self.of_bits and self.held[o] is not NOTHING for o in operands)


#: how many decisions make the digits of a number
_DIGITS = 8


def _reaching(i: Instruction, mask: int) -> int:
    """Returns a mask of the bits of an operand that may change the bits `mask` of the result."""
    amount = constant_int(i.operands[-1]) if i.opcode in SHIFTS else None
    if amount is not None:
        return mask >> amount if i.opcode == "shl" else mask << amount
    if i.opcode in SAME_PLACE:
        return mask
    return ones(0, mask.bit_length())


def _is_repeated(i: Instruction, among: Iterable[Value]) -> bool:
    """True if the instruction is computed, through these values, from itself in an earlier iteration."""
    found = {*among}
    return i in reachable(i.operands, lambda v: v.operands if isinstance(v, Instruction) and v in found else ())


def made_into_numbers(function: Function, stored: Iterable[Value] = ()) -> dict[Instruction, None]:
    """Returns the integers that are cast to numbers after arithmetic, and the integers that they are computed from.

    `stored`: integers that become numbers in memory.
    """
    casts = [i for i in function.instructions() if makes_number(i) and i.opcode == "bitcast"]
    return dict.fromkeys(made_of([*(i.operands[0] for i in casts), *stored]))


def made_of(values: Iterable[Value]) -> Iterator[Instruction]:
    """Yields these integers, and those that they are computed from without passing through memory."""
    starts = [v for v in values if isinstance(v, Instruction)]

    def operands(i: Instruction) -> list[Instruction]:
        return [o for o in i.operands if isinstance(o, Instruction) and width(o.type) > 1]

    return reachable(starts, lambda i: operands(i) if i.opcode in RULES and i.opcode not in ENDS else ())


def joined_with_computed(made: Mapping[Instruction, None]) -> list[Instruction]:
    """Returns those of these integers that become the same numbers as integers that arithmetic makes."""
    computed = [i for i in made if i.opcode in COMPUTING and not _moves_parts(i)]
    below = reachable(computed, lambda i: (u for u in i.users if u in made))
    return list(reachable(below, lambda i: (o for o in i.operands if isinstance(o, Instruction) and o in made)))


def _moves_parts(i: Instruction) -> bool:
    """True if the instruction takes a number out of a wider integer, or puts it into one: a struct in a register."""
    if i.opcode in LOGICAL_SHIFTS:
        amount = constant_int(i.operands[1])
        return amount is not None and amount % 8 == 0
    return i.opcode in UNSIGNED_RESIZES or (i.opcode == "or" and "disjoint" in i.flags)


def makes_number(i: Instruction) -> bool:
    """True if the instruction casts the bits of an integer to a number, or converts an integer."""
    is_cast = i.opcode == "bitcast" or i.opcode in INTEGER_TO_FLOAT
    if not is_cast or not isinstance(i.operands[0], Instruction):
        return False
    return float_like(i.type) is not None and width(i.operands[0].type) > 1 and keeps_lanes(i)


#: how many times the rules are applied to a function with loops
_ROUNDS = 8


def _dependent(instructions: list[Instruction], is_root: Callable[[Instruction], bool]) -> list[Instruction]:
    """Returns the integers that are computed from the roots, in the order of the instructions."""
    roots = [i for i in instructions if width(i.type) > 1 and is_root(i)]
    found = set(reachable(roots, lambda i: [u for u in i.users if width(u.type) > 1 and u.opcode not in ENDS]))
    return [i for i in instructions if i in found]


#: the results of these do not hold bits of the operands
ENDS = of_kind(InstructionKind.MEMORY) | COMPARISONS | FLOAT_TO_INTEGER | {"ptrtoint"}
