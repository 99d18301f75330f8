"""Numbers that are surely finite: few constants that they come from, or what `-ffinite-math-only` promises, tell so.

With the flags `nnan` and `ninf`, an instruction promises that its operands and its result are finite. LLVM also
executes instructions whose result nobody wants: it hoists them out of branches, and a select drops the result. So the
promise counts where the result reaches memory or the caller whenever the instruction is executed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Set
from functools import cached_property

from ...ir.cfg import ControlFlow
from ...ir.constant_numbers import numbers
from ...ir.constants import Constant
from ...ir.graphs import reachable
from ...ir.instructions import MOVES_LANES
from ...ir.types import DOUBLE, FLOAT, scalar
from ...ir.value_edges import COPIED
from ...ir.values import Argument, Block, Instruction, Value
from ...rules import nodes
from ...rules.expression import OPERAND_NAMES, Expression
from ...rules.math import ROOT
from ...rules.nodes import Arithmetic, ExpressionNode, Literal, Name, Negate, Where

_LARGEST = {str(DOUBLE): math.inf, str(FLOAT): float.fromhex("0x1.fffffep+127")}
_MOST = 16  # constants that one number may be
_DEEPEST = 12
_FARTHEST = 50  # blocks between a number and its use
#: half the reciprocal of a root is finite, as the smallest number's root is large; where it is zero, the rule says 0
_ROOT = nodes.parse(ROOT)
_PROMISES = frozenset(["nnan", "ninf"])
_RECIPROCAL = frozenset(["fast", "arcp"])


class FiniteNumbers:
    """Answers for the numbers of one function.

    `is_arithmetic` tells whether the result of an instruction depends on all its operands.
    """

    def __init__(self, flow: ControlFlow, is_arithmetic: Callable[[Instruction], bool]) -> None:
        self._flow = flow
        self._is_arithmetic = is_arithmetic
        self._follows: dict[tuple[Block, Block], bool] = {}
        self._known: dict[Instruction, set[float] | None] = {}

    def is_finite_partial(self, i: Instruction, partial: Expression, operands: list[Value]) -> bool:
        """Returns whether a partial derivative of the instruction's result is finite, wherever it is executed.

        The divisor of a quotient is if LLVM may multiply by its reciprocal, as the product is finite.
        """
        if i.opcode == "fdiv" and not _RECIPROCAL.isdisjoint(i.flags) and i in self._promises:
            return True
        return self._is_finite_node(partial.node, i, operands)

    def _is_finite_node(self, node: ExpressionNode, i: Instruction, operands: list[Value]) -> bool:
        match node:
            case Literal():
                return True
            case Negate(operand=operand):
                return self._is_finite_node(operand, i, operands)
            case Name(name="r"):
                return i in self._promises
            case Name(name=name) if name in OPERAND_NAMES:
                return self.is_finite(operands[OPERAND_NAMES.index(name)])
            case Arithmetic("/", Literal(value=1), Name(name=name)) if name in OPERAND_NAMES:
                divisors = self._constants(operands[OPERAND_NAMES.index(name)], 0)
                return divisors is not None and _quotients({1.0}, divisors, i) is not None
            case Where() if node == _ROOT:
                return i in self._promises
        return False

    def is_finite(self, number: Value) -> bool:
        """Returns whether the number, or each element of the vector, is finite."""
        if isinstance(number, Argument | Instruction):
            if number in self._promises:
                return True
            if any(user in self._promises and self._always_follows(number, user) for user in number.users):
                return True
        return self._constants(number, 0) is not None

    @cached_property
    def _promises(self) -> set[Value]:
        """Instructions with finite operands and a finite result, as the program promises, and keeps the result.

        All users of a result but phis come later in this order.
        """
        found: set[Value] = set()
        for block in self._flow.order[::-1]:
            for i in block.instructions[::-1]:
                if ("fast" in i.flags or _PROMISES.issubset(i.flags)) and self._is_arithmetic(i):
                    kept = (user for user in i.users if user in found or _takes_out(i, user))
                    if any(self._always_follows(i, user) for user in kept):
                        found.add(i)
        return found

    def _always_follows(self, value: Argument | Instruction, user: Instruction) -> bool:
        """Returns whether the user is executed whenever the value is made, before it is made again."""
        start, end = value.block if isinstance(value, Instruction) else self._flow.function.entry, user.block
        assert start is not None and end is not None
        if start is end or user.opcode == "phi":
            return user.opcode != "phi"
        if (start, end) not in self._follows:
            self._follows[start, end] = self._all_paths_meet(start, end)
        return self._follows[start, end]

    def _all_paths_meet(self, start: Block, end: Block) -> bool:
        if start not in self._flow.number or end not in self._flow.number:
            return False
        loop = self._flow.loop_of[start]
        passed = reachable(start.successors, lambda block: () if block is end else block.successors)
        for count, block in enumerate(passed):
            if block is end:
                continue
            is_outside = loop is not None and (block is loop.header or block not in loop.blocks)
            if is_outside or block is start or not block.successors or count > _FARTHEST:
                return False
        return True

    def _constants(self, number: Value, depth: int) -> set[float] | None:
        """Returns the constants of which the number is one, if all are finite. None if they are not known."""
        if isinstance(number, Constant):
            return _all_finite(set(numbers(number)), number)
        if not isinstance(number, Instruction) or depth > _DEEPEST:
            return None
        if number not in self._known:
            self._known[number] = None
            self._known[number] = self._computed(number, depth + 1)
        return self._known[number]

    def _computed(self, number: Instruction, depth: int) -> set[float] | None:
        if number.opcode == "fneg":
            return _negated(self._constants(number.operands[0], depth))
        if number.opcode == "fdiv":
            numerators, divisors = (self._constants(operand, depth) for operand in number.operands)
            return None if numerators is None or divisors is None else _quotients(numerators, divisors, number)
        taken = number.operands[:2] if number.opcode in MOVES_LANES else COPIED.operands(number)
        sets = [self._constants(operand, depth) for operand in taken]
        return _all_finite({value for found in sets for value in found or (None,)}, number)


def _takes_out(i: Instruction, user: Instruction) -> bool:
    """Returns whether the user stores or returns the instruction's result."""
    return user.opcode == "ret" or (user.opcode == "store" and user.operands[0] is i)


def _negated(found: set[float] | None) -> set[float] | None:
    return None if found is None else {-value for value in found}


def _quotients(numerators: set[float], divisors: set[float], of: Value) -> set[float] | None:
    if 0.0 in divisors:
        return None
    return _all_finite({a / b for a in numerators for b in divisors}, of)


def _all_finite(found: Set[float | None], of: Value) -> set[float] | None:
    """Returns the numbers if they are few, and finite as numbers of the value's type."""
    largest = _LARGEST.get(str(scalar(of.type)))
    values = {value for value in found if value is not None}
    if largest is None or len(values) < len(found) or not 0 < len(values) <= _MOST:
        return None
    return values if all(math.isfinite(value) and abs(value) <= largest for value in values) else None
