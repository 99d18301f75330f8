"""Questions whether a key of kept results is old (globals/kept_results.py): what activity says about them.

A derivative takes a key in memory without a shadow as old, so it never gets to the code that uses the kept result.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.activity.activity import Activity
from ...analysis.values.flow import uses
from ...ir.cfg import ControlFlow
from ...ir.folding import is_zero
from ...ir.instructions import COMPARISONS
from ...ir.types import IntType
from ...ir.value_edges import COMPARED_NUMBER
from ...ir.values import Block, Instruction, Value
from ...rules import runtime_functions as runtime

#: comparisons that are true for equal operands, and those that are false
_EQUAL, _UNEQUAL = ("oeq", "ueq", "eq"), ("one", "une", "ne")


def asks_varied(activity: Activity, question: Instruction) -> bool:
    """Returns whether a number that carries a derivative is compared with the key."""
    chosen = set(uses(_answered(question), COMPARED_NUMBER))
    compared = [i for value in chosen for i in value.users if _compares(i)]
    if any(is_varied(activity, number) for i in compared for number in i.operands[:2] if number not in chosen):
        return True
    keys = [key for select in _answered(question) for key in select.operands]
    calls = [key for key in keys if isinstance(key, Instruction) and key.opcode == "call"]
    others = [pointer for call in calls for pointer in call.arguments[:2] if pointer is not question.arguments[1]]
    return any(activity.shadowed(pointer) for pointer in others)


def is_varied(activity: Activity, number: Value) -> bool:
    """Returns whether a number carries a derivative, or an integer is the bits of one that does."""
    if number in activity.varied or not isinstance(number, Instruction) or not isinstance(number.type, IntType):
        return number in activity.varied
    if number.opcode == "load":
        return activity.carriers.adjoint_type(number) is not None and activity.shadowed(number.operands[0])
    return number.opcode == "bitcast" and number.operands[0] in activity.varied


def is_surely_old(activity: Activity, question: Instruction) -> bool:
    """Returns whether derivatives take the key as old: it has no shadow, and a result lies beside it."""
    is_constant = not activity.shadowed(question.arguments[1])
    return is_constant and not is_zero(question.arguments[2]) and asks_varied(activity, question)


def is_only_compared(number: Instruction) -> bool:
    """Returns whether a number goes to comparisons only: nothing depends on its derivative."""
    users = (i for value in uses([number], COMPARED_NUMBER) for i in value.users)
    return all(i.opcode in COMPARISONS or i.opcode in COMPARED_NUMBER for i in users)


def blocks_never_reached(activity: Activity, flow: ControlFlow) -> set[Block]:
    """Returns blocks that derivatives do not get to, since a key is surely old."""
    calls = (i for block in flow.order for i in block.instructions if i.opcode == "call")
    questions = [i for i in calls if i.callee_name == runtime.KEY_IS_OLD.symbol and is_surely_old(activity, i)]
    starts = [start for question in questions for start in _starts_of_results(question, flow)]
    return {block for block in flow.order if any(flow.dominates(start, block) for start in starts)}


def _starts_of_results(question: Instruction, flow: ControlFlow) -> Iterator[Block]:
    """Yields the blocks that only follow if the key is not old."""
    for select in _answered(question):
        for comparison in select.users:
            if comparison.opcode not in COMPARISONS or comparison.predicate not in (*_EQUAL, *_UNEQUAL):
                continue
            for branch in comparison.users:
                if branch.opcode == "br" and branch.block in flow.number:
                    start = branch.successors[comparison.predicate in _UNEQUAL]
                    yield from [start] if flow.predecessors[start] == [branch.block] else []


def _answered(question: Instruction) -> list[Instruction]:
    """Returns the instructions that choose between the key and a number that is never equal."""
    return [select for test in question.users for select in test.users]


def _compares(i: Instruction) -> bool:
    return i.opcode in COMPARISONS or i.plain_opcode == "fsub"
