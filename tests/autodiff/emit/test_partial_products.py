"""The product of an adjoint or tangent with a partial derivative of the rules table."""

import pytest

from enzyme_cc.autodiff.emit.partials import environment, times
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Block
from enzyme_cc.rules.table import INSTRUCTIONS

TEXT = """
define double @f(double %x, double %y) {
  %sum = fadd double %x, %y
  %difference = fsub double %x, %y
  %product = fmul double %x, %y
  ret double %product
}
"""


@pytest.mark.parametrize(
    ("opcode", "operand", "guarded", "emitted"),
    [
        ("fadd", 0, False, []),  # the partial is 1: the factor itself
        ("fsub", 1, False, ["fneg"]),  # the partial is -1
        ("fmul", 0, False, ["fmul"]),
        # 0 times inf or nan is 0, where a select may not have chosen the value
        ("fmul", 0, True, ["fmul", "fcmp", "select"]),
    ],
)
def test_a_product_takes_no_more_instructions_than_it_needs(
    opcode: str, operand: int, guarded: bool, emitted: list[str]
) -> None:
    function = Module.parse(TEXT).body("@f")
    i = next(i for i in function.instructions() if i.opcode == opcode)
    partial = INSTRUCTIONS[opcode].partials[operand]
    block = Block()
    b = Builder(block)
    env = environment(b, lambda value: value, i, partial, i.operands)
    times(b, function.arguments[0], partial, env, guarded)
    assert [made.opcode for made in block.instructions] == emitted


def test_the_environment_asks_only_for_the_values_that_the_partial_names() -> None:
    function = Module.parse(TEXT).body("@f")
    x, y = function.arguments
    product = next(i for i in function.instructions() if i.opcode == "fmul")
    by_x = INSTRUCTIONS["fmul"].partials[0]
    assert list(environment(Builder(Block()), lambda value: value, product, by_x, [x, y]).values()) == [y]
