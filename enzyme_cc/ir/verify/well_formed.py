"""Checks that a function is well-formed, as LLVM's verifier does, and that its use lists are true.

LLVM verifies text only. Passes that rewrite this representation may leave it wrong in ways that the text does not
show: a stale use list makes the next pass miss a use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..cfg import ControlFlow
from ..constants import Constant, references
from ..module import Module
from ..values import Argument, Block, Function, Instruction, Local, Value
from .operand_types import type_error


class InvalidIR(Exception):
    """A function that breaks a rule of the representation; the message lists what is wrong."""


def verify_function(function: Function, after: str) -> None:
    """Checks a function with a body. Raises InvalidIR, whose message names the pass that ran before: `after`."""
    problems = list(find_problems(function))
    if problems:
        raise InvalidIR(f"{function.name} is invalid after {after}: " + "; ".join(problems[:10]))


def verify_module(module: Module, after: str) -> None:
    """Checks all functions of a module whose bodies were parsed. Raises InvalidIR."""
    for function in module.functions.parsed():
        if function.blocks:
            verify_function(function, after)
            verify_names(module, function)


def verify_names(module: Module, function: Function) -> None:
    """Checks that the module declares all functions and globals that the function's instructions name.

    Raises InvalidIR.
    """
    constants = {o for i in function.instructions() for o in i.operands if isinstance(o, Constant)}
    names = {name for constant in constants for name in references(constant)}
    missing = sorted(n for n in names if n not in module.functions and n not in module.globals)
    if missing:
        raise InvalidIR(f"{function.name} names what is not declared: {', '.join(missing)}")


def find_problems(function: Function) -> Iterator[str]:
    """Yields what is wrong with a function. Dominance is checked only if blocks and use lists are right."""
    structure = [*_block_problems(function), *_use_problems(function)]
    yield from structure
    if structure:
        return
    flow = ControlFlow(function)
    for block in flow.order:
        yield from _phi_problems(block)
    yield from _dominance_problems(function, flow)
    for i in function.instructions():
        error = type_error(i)
        if error:
            yield f"{_show(i)}: types: {error}"


def _block_problems(function: Function) -> Iterator[str]:
    for block in function.blocks:
        if block.function is not function:
            yield f"{block} does not say that it is in the function"
        if [i for i in block.instructions if i.is_terminator] != block.instructions[-1:]:
            yield f"{block} does not end in its only terminator"
        if [i for i in block.instructions if i.opcode == "phi"] != block.phis:
            yield f"{block} has a phi behind another instruction"
        for i in block.instructions:
            if i.block is not block:
                yield f"{_show(i)} does not say that it is in {block}"
    if function.entry.predecessors:
        yield f"the entry {function.entry} has predecessors"


def _use_problems(function: Function) -> Iterator[str]:
    """Yields operands that are not values of the function, and use lists that miss a use."""
    instructions = list(function.instructions())
    own: set[Local] = {*function.arguments, *function.blocks, *instructions}
    uses: dict[Local, Counter[Instruction]] = {value: Counter() for value in own}
    for i in instructions:
        for operand in i.operands:
            if isinstance(operand, Local) and operand in own:
                uses[operand][i] += 1
            elif isinstance(operand, Local):
                yield f"{_show(i)} uses {operand!r}, which is not in the function"
    for value, users in uses.items():
        if value.users != users:
            wrong = (value.users.keys() ^ users.keys()) or {u for u in users if users[u] != value.users[u]}
            yield f"the users of {value!r} are not what it says: {', '.join(sorted(map(_show, wrong)))}"


def _phi_problems(block: Block) -> Iterator[str]:
    """Yields phis without a pair for each edge into the block, or with unequal values for edges from one block."""
    edges = Counter(p for p in block.predecessors for s in p.terminator.successors if s is block)
    for phi in block.phis:
        if Counter(predecessor for _, predecessor in phi.incoming) != edges:
            yield f"{_show(phi)} does not match the predecessors of {block}"
        elif len(set(phi.incoming)) != len(edges):
            yield f"{_show(phi)} has several values for one predecessor"


def _dominance_problems(function: Function, flow: ControlFlow) -> Iterator[str]:
    """Yields uses that their definition does not dominate. Unreachable code may use anything."""
    position = {i: k for block in flow.order for k, i in enumerate(block.instructions)}
    for block in flow.order:
        for i in block.instructions:
            for k, operand in enumerate(i.operands):
                if not isinstance(operand, Instruction):
                    continue
                place = _place_of_use(i, k)
                if place in flow.number and not _is_computed(operand, i, place, flow, position):
                    yield f"{_show(operand)} does not dominate its use in {_show(i)}"
    if any(isinstance(a, Argument) and a.index != k for k, a in enumerate(function.arguments)):
        yield "the arguments are not numbered in order"


def _place_of_use(i: Instruction, k: int) -> Block:
    """Returns the block in which an operand is used: for a phi, the predecessor that the value comes from."""
    place = i.operands[k + 1] if i.opcode == "phi" else i.block
    assert isinstance(place, Block)
    return place


def _is_computed(
    operand: Instruction, user: Instruction, place: Block, flow: ControlFlow, position: dict[Instruction, int]
) -> bool:
    if operand not in position or operand.block is None:
        return False
    if operand.block is place:
        return user.opcode == "phi" or position[operand] < position[user]
    return flow.dominates(operand.block, place)


def _show(value: Value) -> str:
    if not isinstance(value, Instruction):
        return repr(value)
    name = f"%{value.name} = " if value.name else ""
    return f"{name}{value.opcode} {value.type} in {value.block!r}"
