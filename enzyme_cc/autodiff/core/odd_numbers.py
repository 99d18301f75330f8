"""Where the first infinite number or NaN arises (`--enzyme-check`): derivatives note it as they run.

A test of each operation would take several times as long as the operations. But such a number stays one in what sums,
products and a few other operations make of it. So a block tests the last operations of its chains, all at once: the
product of zero and these numbers is a NaN if one of them is. Only then, each operation is looked at. Numbers of the
primal that nothing else uses are left out, as they will be in the end. The test is a branch, or a function in loops
that LLVM may vectorise (number_tests.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...ir.builder import Builder
from ...ir.cfg import ControlFlow, Loop
from ...ir.edit import move_tail
from ...ir.instructions import FLOAT_ARITHMETIC, INSTRUCTIONS
from ...ir.module import Module
from ...ir.types import DOUBLE, VOID, FloatType, Type
from ...ir.values import Block, Function, Instruction, Value
from .number_tests import Note, NumberTest, emit_notes, emit_test

_Place = Callable[[Instruction], Value]
#: the operands that a result cannot be finite without
_PASSES_ON = {"fadd": (0, 1), "fsub": (0, 1), "fmul": (0, 1), "fneg": (0,), "fdiv": (0,)}
_INTRINSICS_PASS_ON = {"@llvm.fma": (0, 1, 2), "@llvm.fmuladd": (0, 1, 2), "@llvm.sqrt": (0,), "@llvm.fabs": (0,)}


class _Operation(NamedTuple):
    """A number that may be odd, what it was made of, and the instruction whose line is told."""

    number: Value
    given: Sequence[Value]
    at: Instruction

    @staticmethod
    def of(i: Instruction) -> _Operation:
        return _Operation(i, [v for v in (i.arguments if i.is_call else i.operands) if _is_float(v.type)][:2], i)


class _Sums(NamedTuple):
    """Sums that loops make in variables. LLVM vectorises them if nothing looks at them in the loop.

    `terms`: what is added, by addition: it is tested in the loop. `totals`: what is tested behind it.
    """

    terms: dict[Instruction, Value]
    totals: dict[Block, list[_Operation]]


def note_odd_numbers(module: Module, function: Function, place: _Place, is_plain: Callable[[str], bool]) -> None:
    """Emits the notes of a finished derivative. `place` returns the text with the line of an instruction.

    `is_plain` tells whether the function of a name notes nothing itself: the others find their callers' notes written.
    """
    used, loops = _used(function), _plain_loops(function)
    in_loops, sums = {block for loop in loops for block in loop.blocks}, _sums(loops)
    for block in list(function.blocks):
        made = sums.totals.get(block, [])
        for i in list(block.instructions):
            if made and (i.is_terminator or (i.is_call and not is_plain(i.callee_name))):
                notes = [Note([operation.number, *operation.given], place(operation.at)) for operation in made]
                tested = _last(made)
                test = NumberTest(module, function, tested, notes) if block in in_loops else None
                if test is not None and test.is_small:
                    test.call(Builder.before(i))
                else:
                    _look_at(i, tested, notes)
                made = []
            if i in sums.terms:
                term = sums.terms[i]
                if not _is_made(term, used):
                    made.append(_Operation(term, [term], i))
            elif _is_made(i, used):
                made.append(_Operation.of(i))


def _is_made(value: Value, used: set[Instruction]) -> bool:
    """Returns whether an operation makes the number, and something uses it."""
    is_operation = isinstance(value, Instruction) and (value.is_call or value.opcode in FLOAT_ARITHMETIC)
    return is_operation and value in used and _is_float(value.type)


def _plain_loops(function: Function) -> list[Loop]:
    """Returns the loops that LLVM may vectorise: innermost ones that call nothing."""
    innermost = [loop for loop in ControlFlow(function).loops if not loop.children]
    return [loop for loop in innermost if not any(map(_has_calls, loop.blocks))]


def _has_calls(block: Block) -> bool:
    return any(i.is_call and not i.callee_name.startswith("@llvm.") for i in block.instructions)


def _sums(loops: Sequence[Loop]) -> _Sums:
    sums = _Sums({}, {})
    for loop in loops:
        ends = list(dict.fromkeys(end for _, end in loop.exit_edges))
        is_alone = all(before in loop.blocks for end in ends for before in end.predecessors)
        for variable in _variables(loop) if is_alone and len(loop.entering) == 1 else ():
            additions = _additions(variable, loop)
            if additions:
                sums.terms.update(additions)
                first = next(iter(additions))
                start = Builder.before(loop.entering[0].terminator).load(first.type, variable)
                for end in ends:
                    total = Builder.first(end).load(first.type, variable)
                    sums.totals.setdefault(end, []).append(_Operation(total, [start], first))
    return sums


def _variables(loop: Loop) -> list[Instruction]:
    """Returns the variables that the loop reads."""
    instructions = (i for block in loop.blocks_in_order for i in block.instructions)
    read = (i.operands[0] for i in instructions if i.opcode == "load" and _is_float(i.type))
    return list(dict.fromkeys(p for p in read if isinstance(p, Instruction) and p.opcode == "alloca"))


def _additions(variable: Instruction, loop: Loop) -> dict[Instruction, Value]:
    """Returns the additions to a variable, and what they add; nothing if the loop also uses it in other ways."""
    users = [user for user in variable.users if user.block in loop.blocks]
    found = {}
    for load in users:
        addition = next(iter(load.users)) if load.opcode == "load" and len(load.users) == 1 else None
        if addition is not None and addition.opcode == "fadd" and "reassoc" in addition.flags:
            store = next(iter(addition.users)) if len(addition.users) == 1 else None
            a, b = addition.operands
            if store in users and load.block is addition.block is store.block and a is not b:
                found[addition] = b if a is load else a
    return found if 2 * len(found) == len(users) else {}


def _used(function: Function) -> set[Instruction]:
    """Returns what other code depends on, terminators left out."""
    work = [i for i in function.instructions() if i.is_terminator or i.type == VOID or _acts(i)]
    found = {i for i in work if not i.is_terminator}
    while work:
        for operand in work.pop().operands:
            if isinstance(operand, Instruction) and operand not in found:
                found.add(operand)
                work.append(operand)
    return found


def _acts(i: Instruction) -> bool:
    """Returns whether it may do more than return a value."""
    return INSTRUCTIONS[i.opcode].writes and not i.callee_name.startswith("@llvm.")


def _last(made: Sequence[_Operation]) -> list[Value]:
    """Returns the numbers that are odd if one of all is."""
    shown = {operand for operation in made if operation.number is operation.at for operand in _passed_on(operation.at)}
    return [operation.number for operation in made if operation.number not in shown]


def _look_at(following: Instruction, tested: Sequence[Value], notes: Sequence[Note]) -> None:
    """Emits a test of operations of a block before an instruction, and notes that run if a number is odd."""
    assert following.block is not None and following.block.function is not None
    is_odd = emit_test(Builder.before(following), tested)
    assert isinstance(is_odd, Instruction)
    block, function = following.block, following.block.function
    noted, rest = function.add_block(), function.add_block()
    move_tail(following, rest)
    Builder(block).cond_br(is_odd, noted, rest)
    end = Builder(noted).br(rest)
    for branch in (block.terminator, end):
        branch.metadata = is_odd.metadata
    emit_notes(Builder.before(end), notes)


def _passed_on(i: Instruction) -> list[Value]:
    """Returns the operands without which the result cannot be finite if they are not."""
    name = i.callee_name.rpartition(".")[0]
    return [i.operands[k] for k in (_INTRINSICS_PASS_ON.get(name, ()) if i.is_call else _PASSES_ON.get(i.opcode, ()))]


def _is_float(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.bits <= DOUBLE.bits
