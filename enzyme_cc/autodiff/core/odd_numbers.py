"""Where the first infinite number or NaN arises (`--enzyme-check`): derivatives note it as they run.

A test of each operation would take several times as long as the operations. But such a number stays one in what sums,
products and a few other operations make of it. So a block tests the last operations of its chains, all at once: the
product of zero and these numbers is a NaN if one of them is. Only then, each operation is looked at. Numbers of the
primal that nothing else uses are left out, as they will be in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.builder import Builder
from ...ir.edit import move_tail
from ...ir.folding import float_constant
from ...ir.instructions import FLOAT_ARITHMETIC, INSTRUCTIONS
from ...ir.types import DOUBLE, VOID, FloatType, Type
from ...ir.values import Function, Instruction, Value
from ...rules import runtime_functions as runtime

_Place = Callable[[Instruction], Value]
_ZERO = float_constant(0.0, DOUBLE)
#: the operands that a result cannot be finite without
_PASSES_ON = {"fadd": (0, 1), "fsub": (0, 1), "fmul": (0, 1), "fneg": (0,), "fdiv": (0,)}
_INTRINSICS_PASS_ON = {"@llvm.fma": (0, 1, 2), "@llvm.fmuladd": (0, 1, 2), "@llvm.sqrt": (0,), "@llvm.fabs": (0,)}


def note_odd_numbers(function: Function, place: _Place, is_plain: Callable[[str], bool]) -> None:
    """Emits the notes of a finished derivative. `place` returns the text with the line of an instruction.

    `is_plain` tells whether the function of a name notes nothing itself: the others find their callers' notes written.
    """
    used = _used(function)
    for block in list(function.blocks):
        made: list[Instruction] = []
        for i in list(block.instructions):
            if made and (i.is_terminator or (i.is_call and not is_plain(i.callee_name))):
                _look_at(made, i, place)
                made = []
            if (i.is_call or i.opcode in FLOAT_ARITHMETIC) and i in used and _is_float(i.type):
                made.append(i)


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


def _look_at(made: Sequence[Instruction], following: Instruction, place: _Place) -> None:
    """Emits a test of operations of a block before an instruction, and notes that run if a number is odd."""
    assert following.block is not None and following.block.function is not None
    shown = {operand for i in made for operand in _passed_on(i)}
    product: Value = _ZERO
    b = Builder.before(following)
    for i in made:
        if i not in shown:
            product = b.fmul(product, b.resize_float(i, DOUBLE))
    is_odd = b.fcmp("uno", product, _ZERO)
    block, function = following.block, following.block.function
    noted, rest = function.add_block(), function.add_block()
    move_tail(following, rest)
    Builder(block).cond_br(is_odd, noted, rest)
    end = Builder(noted).br(rest)
    for branch in (block.terminator, end):
        branch.metadata = is_odd.metadata
    for i in made:
        b = Builder.before(end)
        given = [v for v in (i.arguments if i.is_call else i.operands) if _is_float(v.type)][:2]
        numbers = [b.resize_float(number, DOUBLE) for number in (i, *given)]
        runtime.NOTE_NUMBER.call(b, *numbers, *[_ZERO] * (3 - len(numbers)), place(i))


def _passed_on(i: Instruction) -> list[Value]:
    """Returns the operands without which the result cannot be finite if they are not."""
    name = i.callee_name.rpartition(".")[0]
    return [i.operands[k] for k in (_INTRINSICS_PASS_ON.get(name, ()) if i.is_call else _PASSES_ON.get(i.opcode, ()))]


def _is_float(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.bits <= DOUBLE.bits
