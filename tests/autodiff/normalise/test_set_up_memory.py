"""Variables that set-up calls are given lie in memory without a shadow."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.set_up_memory import set_up_outside
from enzyme_cc.ir.module import Module

from .rewriting import body

TEXT = """
declare void @make(ptr)
define internal void @through(ptr %q) {{
  call void @make(ptr %q)
  ret void
}}
define void @f() {{
  %given = alloca i64
  %other = alloca i64
  call void @{callee}(ptr %given)
  store i64 1, ptr %other
  ret void
}}
"""


def stack(callee: str, set_up: str = "@make") -> list[str]:
    """The variables of f that are still on the stack."""
    module = Module.parse(TEXT.format(callee=callee))
    set_up_outside(module, [module.body("@f"), module.body("@through")], frozenset([set_up]))
    body(str(module))  # LLVM accepts it
    return [i.name for i in module.body("@f").instructions() if i.opcode == "alloca"]


def test_a_variable_that_a_set_up_call_is_given_moves() -> None:
    assert stack("make") == ["other"]


def test_so_does_one_that_another_function_passes_on() -> None:
    assert stack("through") == ["other"]


def test_variables_of_other_calls_stay() -> None:
    assert stack("make", "@unmake") == ["given", "other"]
