"""Passes of LLVM replace no number by what it was compared with, and fold comparisons of constants as before."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.optimise.compared_copies import comparing_copies, with_copies_compared
from enzyme_cc.ir import llvm_passes

BRANCH = """
define double @f(double %x, i64 %word, double %other) {{
  {test}
  br i1 %is, label %equal, label %differ
equal:
  %number = bitcast i64 %word to double
  %sum = fadd double %x, %number
  %cube = fmul double %sum, %x
  ret double %cube
differ:
  ret double %other
}}
"""


def optimised(text: str) -> str:
    module = llvm_passes.parse(text)
    llvm_passes.optimise(module, 2)
    return str(module)


@pytest.mark.parametrize(
    "test",
    [
        "%is = fcmp oeq double %x, 2.0",
        "%is = fcmp oeq double 2.0, %x",
        "%a = fcmp oge double %x, 2.0\n  %b = fcmp ole double %x, 2.0\n  %is = and i1 %a, %b",
        "%is = icmp eq i64 %word, 4611686018427387904",
        "%a = sub i64 %word, 4611686018427387904\n  %is = icmp eq i64 %a, 0",
    ],
)
def test_numbers_stay(test: str) -> None:
    text = comparing_copies(optimised, BRANCH.format(test=test))
    assert "fadd double %x, %number" in text or "fadd double %number, %x" in text
    assert "= bitcast i64 %word to double" in text
    assert "enzyme.compared" not in text


def test_constants_are_folded() -> None:
    text = BRANCH.format(test="%is = fcmp oeq double %x, 2.0")
    calls = "define double @g(double %y) {\n  %r = call double @f(double 3.0, i64 5, double %y)\n  ret double %r\n}\n"
    assert "ret double %y" in comparing_copies(optimised, text + calls)


@pytest.mark.parametrize(
    "test", ["%is = icmp eq i64 %word, 7", "%is = icmp ult i64 %word, 9", "%is = fcmp olt double %x, 2.0"]
)
def test_other_comparisons_are_left_alone(test: str) -> None:
    text = BRANCH.format(test=test)
    assert with_copies_compared(text) == text


def test_copies_get_fresh_names() -> None:
    """LLVM gives the name of a copy to a phi that replaces it, and the text is changed again later."""
    test = "%enzyme.compared.0 = fadd double %other, 1.0\n  %enzyme.compared.word.0 = add i64 %word, 1\n"
    compared = "%a = fcmp oeq double %x, 2.0\n  %b = icmp eq i64 %word, 4611686018427387904\n  %is = and i1 %a, %b"
    copied = with_copies_compared(BRANCH.format(test=f"{test}  {compared}"))
    llvm_passes.parse(copied).verify()
    assert "%enzyme.compared.1 = call" in copied
    assert "%enzyme.compared.word.1 = call" in copied


LOOP = """
define void @f(ptr noalias %a, double %y) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %is = fcmp olt double %x, %y
  %chosen = select i1 %is, double 1.0, double %x
  store double %chosen, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 64
  br i1 %end, label %out, label %loop
out:
  ret void
}
"""
OWN = """
define double @own(double %x) {
  %r = call double @llvm.canonicalize.f64(double %x)
  ret double %r
}
declare double @llvm.canonicalize.f64(double)
"""


def vectorised(text: str) -> str:
    module = llvm_passes.parse(text)
    llvm_passes.optimise(module, 2, vectorise=True)
    return str(module)


def test_copies_of_several_numbers_go() -> None:
    """The loop vectoriser gives its copies no name of ours."""
    text = comparing_copies(vectorised, LOOP)
    assert "fcmp olt <2 x double>" in text and "> @llvm.canonicalize.v2f64(<2 x double> %" not in text
    llvm_passes.verify(llvm_passes.parse(text))


def test_operations_of_the_program_stay() -> None:
    assert "call double @llvm.canonicalize.f64(double %x)" in comparing_copies(vectorised, LOOP + OWN)


def test_functions_that_passes_leave_alone_have_no_copies() -> None:
    test = "%is = fcmp oeq double %x, 2.0"
    f, g = BRANCH.format(test=test), BRANCH.format(test=test).replace("@f(", "@g(")
    seen: list[str] = []
    after = comparing_copies(lambda text: seen.append(text) or text, f + g, {"f"})
    assert g.strip() in seen[0]
    assert seen[0].count("fcmp oeq double %enzyme.compared") == 1
    assert after.count(test) == 2


def test_passes_of_functions_change_no_others() -> None:
    body = "() {\n  %sum = add i32 1, 2\n  ret i32 %sum\n}\n"
    module = llvm_passes.parse(f"define i32 @f{body}define i32 @g{body}")
    llvm_passes.run_function_passes(module, ["f"], "instcombine")
    assert "ret i32 3" in str(module.get_function("f"))
    assert "%sum" in str(module.get_function("g"))
