"""Tests of numbers in loops: LLVM vectorises the loop with its test, and the test is inlined then."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.autodiff.core.number_tests import NUMBER_TESTS
from enzyme_cc.autodiff.core.odd_numbers import note_odd_numbers
from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module
from enzyme_cc.link.merged_module.finished import keep_tests, parsed, with_inlined_tests
from tests.ir import llvm_check

LOOP = """
target triple = "x86_64-unknown-linux-gnu"
@place = private constant [1 x i8] zeroinitializer
define void @f(ptr noalias %x, ptr noalias %d, i64 %n, double %seed) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %shadow = getelementptr double, ptr %d, i64 %i
  %number = load double, ptr %at
  %before = load double, ptr %shadow
  %product = fmul double %number, %seed
  %sum = fadd double %before, %product
  store double %sum, ptr %shadow
  %next = add nuw i64 %i, 1
  %is_last = icmp eq i64 %next, %n
  br i1 %is_last, label %end, label %loop
end:
  ret void
}
attributes #0 = { noinline "target-cpu"="x86-64-v3" }
"""
ADDED = """
  %total = load double, ptr %variable
  %more = fadd reassoc double %total, %product
  store double %more, ptr %variable"""


def _noted(text: str) -> Module:
    module = llvm_check.parsed(text)
    note_odd_numbers(module, module.functions["@f"], lambda _: GlobalRef.of("@place"), lambda _: True)
    return module


def _optimised(module: Module) -> str:
    checked = parsed(str(module), llvm_passes.llvm.create_context())
    keep_tests(checked)
    llvm_passes.optimise(checked, 3, vectorise=True)
    return str(checked)


def test_a_test_in_a_loop_is_a_call_that_becomes_one_of_vectors() -> None:
    module = _noted(LOOP)
    assert f"call void @{NUMBER_TESTS}(double %sum, double %number, double %seed, double %before)" in str(module)
    text = _optimised(module)
    assert re.search(rf"call void @{NUMBER_TESTS}\.of_4\(<4 x double>", text)
    text = with_inlined_tests(text)
    assert set(re.findall(rf"define [^@]*@({NUMBER_TESTS}[\w.]*)", text)) == {
        f"{NUMBER_TESTS}.notes",
        f"{NUMBER_TESTS}.notes_of_4",
    }
    assert "fcmp uno <4 x double>" in text


def test_a_test_has_forms_for_all_registers_that_hold_its_numbers() -> None:
    mixed = LOOP.replace("%sum =", "%narrow = fptrunc double %product to float\n  %less = fneg float %narrow\n  %sum =")
    mixed = mixed.replace(
        "store double %sum, ptr %shadow", "store double %sum, ptr %shadow\n  store float %less, ptr %at"
    )
    for text, lanes in ((LOOP, {2, 4, 8}), (mixed, {2, 4, 8, 16})):
        names = _noted(text).functions
        assert {int(name.rpartition("_")[2]) for name in names if f"{NUMBER_TESTS}.of_" in name} == lanes


def test_a_loop_that_calls_a_function_keeps_a_branch() -> None:
    text = str(_noted(LOOP.replace("%next =", "call void @g()\n  %next =") + "declare void @g()\n"))
    assert NUMBER_TESTS not in text
    assert "fcmp uno double" in text


@pytest.mark.parametrize("looked_at", [False, True])
def test_a_sum_is_tested_behind_its_loop(looked_at: bool) -> None:
    """If the loop itself uses the sum, it is tested there."""
    text = LOOP.replace("entry:", "entry:\n  %variable = alloca double\n  store double 0.0, ptr %variable")
    used = "\n  store double %more, ptr %at" if looked_at else ""
    text = text.replace("%next =", f"{ADDED}{used}\n  %next =").replace(
        "ret void", "call void @g(ptr %variable)\n  ret void"
    )
    text = str(_noted(f"{text}declare void @g(ptr)\n"))
    _, call, arguments = text.partition(f"call void @{NUMBER_TESTS}(")
    assert call
    assert ("%more" in arguments.partition(")")[0]) == looked_at
    assert ("fcmp uno" in text.partition("\nend:")[2].partition("\n}")[0]) == (not looked_at)
