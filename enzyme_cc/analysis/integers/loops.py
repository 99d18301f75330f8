"""Induction variables of loops, and the number of iterations as far as it is known before the loop runs."""

from __future__ import annotations

from msgspec import Struct

from ...ir.cfg import ControlFlow, Loop
from ...ir.constants import ConstantInt
from ...ir.types import IntType, alloc_size, is_pointer
from ...ir.values import Block, Instruction, Value


class Induction(Struct, frozen=True):
    """A phi of a loop header that is start + step·iteration. The step of a pointer is in bytes.

    `no_wrap`: the flags ("nsw", "nuw") by which the addition does not wrap around. The formula holds without them too.
    """

    phi: Instruction
    start: Value
    step: int
    no_wrap: frozenset[str] = frozenset()


class TripCount(Struct, frozen=True):
    """The loop is left in the first iteration k, counted from 0, for which `predicate(first + step·k, bound)` is false.

    `predicate` is the icmp predicate under which the loop continues. `first` is `start`, or start + step if the exit
    tests the incremented variable (`tests_next`).
    """

    start: Value
    step: int
    tests_next: bool
    predicate: str
    bound: Value


def is_invariant(value: Value, loop: Loop) -> bool:
    """True if the value is not computed inside the loop."""
    return not (isinstance(value, Instruction) and value.block in loop.blocks)


def induction(phi: Instruction, loop: Loop) -> Induction | None:
    """Returns the phi of the loop's header as an affine induction variable, or None."""
    if len(loop.latches) != 1 or len(phi.operands) != 4:
        return None
    by_block = {block: value for value, block in phi.incoming}
    step_value = by_block.get(loop.latches[0])
    start = next((v for b, v in by_block.items() if b not in loop.blocks), None)
    if start is None or not isinstance(step_value, Instruction):
        return None
    sums = _sums(step_value, phi)
    steps = {_constant_step(value, phi) for value in sums}
    step = steps.pop()
    if steps or step is None:
        return None
    return Induction(phi, start, step, frozenset.intersection(*(frozenset(value.flags) for value in sums)))


def _sums(value: Instruction, phi: Instruction) -> list[Instruction]:
    """Returns the value, or the operands of a phi: partial redundancy elimination leaves phis of equal sums."""
    if value.opcode != "phi" or value is phi:
        return [value]
    incoming = [v for v, _ in value.incoming if isinstance(v, Instruction)]
    return incoming if len(incoming) == len(value.incoming) else [value]


def _constant_step(value: Instruction, phi: Instruction) -> int | None:
    if value.opcode == "add" and value.operands[0] is phi and isinstance(value.operands[1], ConstantInt):
        return value.operands[1].value
    if value.opcode == "getelementptr" and value.operands[0] is phi and is_pointer(phi.type):
        base, *indices = value.operands
        if base is phi and len(indices) == 1 and isinstance(indices[0], ConstantInt):
            return indices[0].value * alloc_size(value.source_type)
    return None


_NEGATED = {
    "eq": "ne",
    "ne": "eq",
    "slt": "sge",
    "sge": "slt",
    "sgt": "sle",
    "sle": "sgt",
    "ult": "uge",
    "uge": "ult",
    "ugt": "ule",
    "ule": "ugt",
}
_SWAPPED = {
    "eq": "eq",
    "ne": "ne",
    "slt": "sgt",
    "sgt": "slt",
    "sle": "sge",
    "sge": "sle",
    "ult": "ugt",
    "ugt": "ult",
    "ule": "uge",
    "uge": "ule",
}
#: predicates under which a loop with a step of that sign can continue
_UPWARD = {"ne", "slt", "sle", "ult", "ule"}
_DOWNWARD = {"ne", "sgt", "sge", "ugt", "uge"}


def trip_count(loop: Loop, flow: ControlFlow, live: set[Block]) -> TripCount | None:
    """Returns how often the loop runs, if its only exit compares an induction variable with an invariant; else None.

    `live` are the blocks from which the function can return. Exits to other blocks do not count.
    """
    exits = [(inside, outside) for inside, outside in loop.exit_edges if outside in live]
    if len(loop.latches) != 1 or len(loop.entering) != 1 or len(exits) != 1:
        return None
    inside, outside = exits[0]
    terminator = inside.terminator
    if terminator.opcode != "br" or len(terminator.operands) != 3 or flow.loop_of[inside] is not loop:
        return None
    if not flow.dominates(inside, loop.latches[0]):
        return None
    test = terminator.operands[0]
    if not isinstance(test, Instruction) or test.opcode != "icmp" or not isinstance(test.operands[0].type, IntType):
        return None
    predicate = test.predicate if terminator.operands[1] is not outside else _NEGATED[test.predicate]
    left, right = test.operands
    if is_invariant(left, loop):
        left, right, predicate = right, left, _SWAPPED[predicate]
    if not is_invariant(right, loop):
        return None
    return _match_test(left, right, predicate, loop)


def _match_test(tested: Value, bound: Value, predicate: str, loop: Loop) -> TripCount | None:
    for phi in loop.header.phis:
        variable = induction(phi, loop)
        if variable is None or not isinstance(phi.type, IntType) or variable.step == 0:
            continue
        latch_value = next(v for v, b in phi.incoming if b in loop.blocks)
        if tested is not phi and tested is not latch_value:
            continue
        if predicate not in (_UPWARD if variable.step > 0 else _DOWNWARD):
            return None
        if not _stops_at_first_pass(variable, predicate, bound):
            return None
        return TripCount(variable.start, variable.step, tested is latch_value, predicate, bound)
    return None


def _stops_at_first_pass(variable: Induction, predicate: str, bound: Value) -> bool:
    """True if the variable cannot step over the bound, wrap around and pass the test again."""
    if abs(variable.step) == 1:
        return True
    if predicate == "ne":
        return bool(variable.no_wrap)
    signed = predicate[0] == "s"
    # "nuw" on the addition of a negative step is about the step read as unsigned
    if (signed and "nsw" in variable.no_wrap) or (not signed and variable.step > 0 and "nuw" in variable.no_wrap):
        return True
    if not isinstance(bound, ConstantInt) or not isinstance(bound.type, IntType):
        return False
    bits = bound.type.bits
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    number = (bound.value - low) % (1 << bits) + low
    last = number if predicate.endswith("e") else number - (1 if variable.step > 0 else -1)
    return low <= last + variable.step <= high
