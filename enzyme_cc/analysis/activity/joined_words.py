"""Numbers that are made of two words by integer arithmetic: values of an interpreter, for example.

    struct value { int tag; union { double number; long integer; }; };
    sum.integer = a.integer + b.integer;

Where the tag tells integers, the words are no numbers, and what is made of them is none, although code around it takes
each of them for one. Only the run tells: in reverse mode, the adjoint of the result is zero then; in forward mode, the
tangents of the words are.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.constants import Constant
from ...ir.folding import int_constant
from ...ir.graphs import reachable
from ...ir.instructions import BIT_OPERATIONS, INTEGER_ARITHMETIC, MOVES_ON
from ...ir.types import FloatType
from ...ir.values import Instruction, Value

_JOINS = INTEGER_ARITHMETIC - BIT_OPERATIONS


def joined_words(i: Value) -> list[Value]:
    """Returns the words of which integer arithmetic makes a number, twice if it is used twice; or none.

    A single word counts if it is negated: the bits of a number have another sign. A number with which the function
    computes at once is no word of a union.
    """
    if not isinstance(i, Instruction) or i.opcode != "bitcast" or not isinstance(i.type, FloatType):
        return []
    joins = list(reachable(_joining(i.operands), lambda join: _joining(join.operands)))
    if not joins or any(u.opcode not in MOVES_ON for u in i.users):
        return []
    words = [o for join in joins for o in join.operands if not isinstance(o, Constant) and not _joining([o])]
    return words if len(words) > 1 or any(map(_is_negation, joins)) else []


def _joining(values: Iterable[Value]) -> list[Instruction]:
    return [v for v in values if isinstance(v, Instruction) and v.opcode in _JOINS]


def _is_negation(join: Instruction) -> bool:
    return join.opcode == "sub" and join.operands[0] == int_constant(0, join.type)
