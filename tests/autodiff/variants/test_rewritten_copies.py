"""A copied function calls copies, and each instruction of them is rewritten once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from enzyme_cc.analysis.callees import Callee
from enzyme_cc.autodiff.variants.rewritten_copies import Copies, change_uses, for_each_number, split_product
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import PTR
from enzyme_cc.ir.values import Argument, Instruction, Value
from enzyme_cc.report.diagnostics import EnzymeError

from .asking import body, checked

MODULE = """
@__enzyme_inactivefn_log = constant [1 x ptr] [ptr @log_it]
declare double @sin(double)
declare double @unknown(double)
declare i32 @puts(ptr)
define double @g(double returned %x) #0 {
  %s = call double @sin(double %x)
  ret double %s
}
define void @log_it(double %x) {
  ret void
}
define fastcc double @f(double %x) nounwind {
  %y = fmul double %x, %x
  %z = call double @g(double returned %y) nounwind
  call void @log_it(double %z)
  %n = call i32 @puts(ptr null)
  ret double %z
}
define double @asks(double %x) {
  %y = call double @unknown(double %x)
  ret double %y
}
attributes #0 = { nounwind memory(none) }
"""


class Seen(Copies):
    """Copies with one further parameter, which note what they see."""

    suffix = ".copy"
    extra = ((PTR, "more", "noundef"),)

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.seen: list[str] = []

    def instruction(self, i: Instruction, more: Sequence[Argument]) -> None:
        self.seen.append(i.opcode)

    def math(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        self.seen.append(callee.name)

    def inactive(self, i: Instruction, callee: Callee) -> None:
        self.seen.append(callee.name)

    def unknown(self, i: Instruction, callee: Callee, more: Sequence[Argument]) -> None:
        raise self.refusal(i, "it is unknown", "no body")


def test_calls_of_copies_pass_the_further_arguments() -> None:
    copies = Seen(Module.parse(MODULE))
    copies.copy("@f")
    assert body(str(copies.module), "f.copy(") == [
        "%y = fmul double %x, %x",
        "%1 = call double @g.copy(double %y, ptr %more) nounwind",
        "call void @log_it.copy(double %1, ptr %more)",
        "%n = call i32 @puts(ptr null)",
        "ret double %1",
    ]


def test_each_instruction_is_seen_by_its_kind() -> None:
    copies = Seen(Module.parse(MODULE))
    copies.copy("@f")
    assert copies.seen == ["fmul", "@puts", "ret", "ret", "@sin", "ret"]


def test_attributes_that_a_copy_need_not_have_are_dropped() -> None:
    copies = Seen(Module.parse(MODULE))
    text = checked(str(copies.copy("@g") and copies.module))
    line = next(line for line in text.splitlines() if "@g.copy(" in line and line.startswith("define"))
    assert "returned" not in line
    assert "memory(none)" in text  # of the original
    assert f"attributes #{line.split('#')[1].split()[0]} = {{ nounwind }}" in text


def test_a_copy_keeps_the_calling_convention() -> None:
    assert Seen(Module.parse(MODULE)).copy("@f").prefix == "internal fastcc"


def test_a_copy_of_an_inactive_function_is_inactive() -> None:
    copies = Seen(Module.parse(MODULE))
    copies.copy("@f")
    assert "@__enzyme_inactivefn_log_it.copy" in copies.module.globals
    assert "@__enzyme_inactivefn_g.copy" not in copies.module.globals


def test_a_refusal_names_the_original_function() -> None:
    with pytest.raises(EnzymeError, match="EZ0215") as found:
        Seen(Module.parse(MODULE)).copy("@asks")
    assert found.value.diagnostics[0].function == "asks"


def instruction(line: str) -> Instruction:
    module = Module.parse(
        "declare double @llvm.fmuladd.f64(double, double, double)\n"
        "declare double @llvm.fma.f64(double, double, double)\n"
        f"define void @f(double %x, <2 x double> %v, {{ double, i32 }} %s) {{\n  {line}\n"
        "  %user = freeze double %x\n  ret void\n}\n"
    )
    return next(iter(module.body("@f").instructions()))


def doubled(i: Instruction, value: Value) -> list[str]:
    for_each_number(Builder.before(i), value, lambda b, number: b.fadd(number, number))
    assert i.block is not None
    return [k.opcode for k in i.block.instructions[: i.block.instructions.index(i)]]


def test_numbers_in_vectors_and_structs_are_changed_one_by_one() -> None:
    i = instruction("%user2 = freeze double %x")
    assert i.block is not None and i.block.function is not None
    _, vector, struct = i.block.function.arguments
    assert doubled(i, vector).count("fadd") == 2
    assert doubled(instruction("ret void"), struct) == ["extractvalue", "fadd", "insertvalue"]


def test_a_product_and_sum_that_may_be_fused_is_split() -> None:
    copies = Seen(Module.parse(MODULE))
    fused = instruction("%y = call double @llvm.fmuladd.f64(double %x, double %x, double %x)")
    module_callee = copies.callees.of(fused)
    assert [i.opcode for i in split_product(fused, module_callee)] == ["fmul", "fadd"]
    one_step = instruction("%y = call double @llvm.fma.f64(double %x, double %x, double %x)")
    assert split_product(one_step, copies.callees.of(one_step)) == ()


def test_what_is_made_behind_an_instruction_uses_it_itself() -> None:
    i = instruction("%y = fneg double %x\n  %z = fneg double %y")
    new = change_uses(i, lambda b: b.fadd(i, i))
    assert isinstance(new, Instruction)
    assert [u.opcode for u in i.users] == ["fadd"]
    assert [u.name for u in new.users] == ["z"]
