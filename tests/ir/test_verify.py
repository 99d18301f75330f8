"""What the verifier of the representation finds: one violation each, made in a function that is valid before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.constants import ConstantWord
from enzyme_cc.ir.folding import float_constant, int_constant
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import I32, I64, VOID
from enzyme_cc.ir.values import Argument, Block, Function, Instruction, Value
from enzyme_cc.ir.verify import InvalidIR, find_problems, verify_function, verify_names
from tests.ir.llvm_check import parsed
from tests.ir.test_control_flow import DECLARATIONS, FUNCTIONS

TEXT = """declare i32 @g(i32)

define i32 @f(i1 %c, i32 %x, ptr %p) {
entry:
  %a = add i32 %x, 1
  br i1 %c, label %then, label %end

then:
  %b = mul i32 %a, 2
  store i32 %b, ptr %p
  %r = call i32 @g(i32 %b)
  br label %end

end:
  %m = phi i32 [ %a, %entry ], [ %b, %then ]
  %s = sub i32 %m, %x
  ret i32 %s
}
"""


class Made:
    """The function of TEXT, and its values and blocks by name."""

    def __init__(self) -> None:
        self.module = parsed(TEXT)
        self.function = self.module.body("@f")
        self.values = {i.name: i for i in self.function.instructions()}
        self.arguments = {a.name: a for a in self.function.arguments}
        self.blocks = {b.name: b for b in self.function.blocks}


def test_a_valid_function_has_no_problems() -> None:
    made = Made()
    verify_function(made.function, "parsing")
    verify_names(made.module, made.function)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_llvm_accepts_have_no_problems(name: str) -> None:
    module = parsed(DECLARATIONS + FUNCTIONS[name] + "\n")
    for function in module.functions.parsed():
        if not function.is_declaration:
            assert list(find_problems(function)) == []


def _no_terminator(made: Made) -> None:
    made.blocks["then"].terminator.erase()


def _two_terminators(made: Made) -> None:
    Builder.before(made.values["b"]).unreachable()


def _phi_behind_another(made: Made) -> None:
    end = made.blocks["end"]
    end.append(end.instructions.pop(0))
    end.insert(1, end.instructions.pop())


def _says_another_block(made: Made) -> None:
    made.values["b"].block = made.blocks["end"]


def _says_another_function(made: Made) -> None:
    made.blocks["then"].function = None


def _entry_has_predecessors(made: Made) -> None:
    made.blocks["then"].terminator.set_operand(0, made.blocks["entry"])
    phi = made.values["m"]
    _phi_of(phi, [(made.values["a"], made.blocks["entry"])])


def _phi_of(phi: Instruction, pairs: list[tuple[Value, Block]]) -> None:
    phi.drop_operands()
    for value, block in pairs:
        phi.append_operand(value)
        phi.append_operand(block)


def _phi_misses_a_predecessor(made: Made) -> None:
    _phi_of(made.values["m"], [(made.values["a"], made.blocks["entry"])])


def _phi_has_two_values_for_one_predecessor(made: Made) -> None:
    entry, then, end = made.function.blocks
    entry.terminator.set_operand(1, end)
    made.values["b"].replace_uses(int_constant(0, I32))
    _phi_of(made.values["m"], [(made.values["a"], entry), (int_constant(3, I32), entry), (int_constant(0, I32), then)])


def _use_before_definition(made: Made) -> None:
    made.values["a"].set_operand(1, made.values["b"])


def _use_in_another_branch(made: Made) -> None:
    made.values["s"].set_operand(1, made.values["b"])


def _use_earlier_in_the_block(made: Made) -> None:
    then = made.blocks["then"]
    then.instructions.insert(0, then.instructions.pop(1))


def _user_is_forgotten(made: Made) -> None:
    del made.values["a"].users[made.values["b"]]


def _user_has_gone(made: Made) -> None:
    made.blocks["then"].instructions.pop(1)


def _operand_of_another_function(made: Made) -> None:
    made.values["s"].set_operand(1, Argument(I32, "stranger"))


def _operand_in_no_block(made: Made) -> None:
    made.values["s"].set_operand(1, Instruction("add", I32, (int_constant(1, I32), int_constant(2, I32))))


def _arithmetic_of_two_types(made: Made) -> None:
    made.values["s"].set_operand(1, int_constant(1, I64))


def _integer_operation_of_numbers(made: Made) -> None:
    made.values["s"].opcode = "fsub"


def _store_through_an_integer(made: Made) -> None:
    made.blocks["then"].instructions[1].set_operand(1, made.arguments["x"])


def _argument_of_another_type(made: Made) -> None:
    made.values["r"].set_operand(0, float_constant(1.0))


def _returns_another_type(made: Made) -> None:
    made.blocks["end"].terminator.set_operand(0, ConstantWord(I64, "poison"))


def _branches_on_a_number(made: Made) -> None:
    made.blocks["entry"].terminator.set_operand(0, made.arguments["x"])


VIOLATIONS: dict[Callable[[Made], None], str] = {
    _no_terminator: "does not end in its only terminator",
    _two_terminators: "does not end in its only terminator",
    _phi_behind_another: "phi behind another instruction",
    _says_another_block: "does not say that it is in",
    _says_another_function: "does not say that it is in the function",
    _entry_has_predecessors: "has predecessors",
    _phi_misses_a_predecessor: "does not match the predecessors",
    _phi_has_two_values_for_one_predecessor: "several values for one predecessor",
    _use_before_definition: "does not dominate its use",
    _use_in_another_branch: "does not dominate its use",
    _use_earlier_in_the_block: "does not dominate its use",
    _user_is_forgotten: "the users of",
    _user_has_gone: "the users of",
    _operand_of_another_function: "which is not in the function",
    _operand_in_no_block: "which is not in the function",
    _arithmetic_of_two_types: "i32 and i64 are not one type",
    _integer_operation_of_numbers: "floating-point numbers expected",
    _store_through_an_integer: "address of type i32",
    _argument_of_another_type: "double and i32 are not one type",
    _returns_another_type: "i64 and i32 are not one type",
    _branches_on_a_number: "i32 and i1 are not one type",
}


@pytest.mark.parametrize("violate", VIOLATIONS)
def test_violation_is_found(violate: Callable[[Made], None]) -> None:
    made = Made()
    violate(made)
    with pytest.raises(InvalidIR) as caught:
        verify_function(made.function, "a pass")
    assert "@f is invalid after a pass: " in str(caught.value)
    assert VIOLATIONS[violate] in str(caught.value)


def test_a_callee_that_is_not_declared_is_found() -> None:
    made = Made()
    Builder.before(made.values["s"]).call("@nobody", VOID, ())
    with pytest.raises(InvalidIR, match="@nobody"):
        verify_names(made.module, made.function)


def test_unreachable_code_may_use_anything() -> None:
    dead = "dead:\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  br label %dead\n"
    text = f"define i32 @f(i32 %x) {{\n  ret i32 %x\n{dead}}}\n"
    function: Function = Module.parse(text).body("@f")
    assert list(find_problems(function)) == []
