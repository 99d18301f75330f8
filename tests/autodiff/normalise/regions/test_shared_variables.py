"""What is known of the variables that a region shares."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.normalise.threads.restricted_captures import is_only_loaded_from, may_order
from enzyme_cc.autodiff.normalise.threads.shared_variables import SharedVariables, bases_of
from enzyme_cc.ir.module import Module

TEXT = """
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare double @sin(double)
declare void @g(ptr)
define void @f(ptr %x) {{
entry:
  %a = alloca double
  {caller}
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 2, ptr @region, ptr %a, ptr %x)
  ret void
}}
define internal void @region(ptr %t, ptr %z, ptr %s, ptr %x) {{
entry:
  %p = getelementptr double, ptr %x, i64 2
  %v = load double, ptr %p
  %w = call double @sin(double %v)
  {region}
  ret void
}}
"""


@pytest.mark.parametrize(
    ("caller", "region", "has_one"),
    [
        ("store double 0.0, ptr %a", "store double %w, ptr %s", True),
        ("call void @g(ptr %a)", "", False),
        ("", "call void @g(ptr %s)", False),
        ("", "store ptr %s, ptr %x", False),
    ],
    ids=["accessed", "passed on", "passed on by the region", "kept"],
)
def test_names_of_variables(caller: str, region: str, has_one: bool) -> None:
    module = Module.parse(TEXT.format(caller=caller, region=region))
    function = module.body("@region")
    shared = SharedVariables(module, function)
    assert shared.has_one_name(function.arguments[2]) is has_one
    assert not shared.has_one_name(function.arguments[3])


@pytest.mark.parametrize(
    ("region", "orders", "is_only_read"),
    [
        ("", False, True),
        ("store double %w, ptr %p", False, False),
        ("call void @g(ptr null)", True, True),
        ("fence seq_cst", True, True),
    ],
    ids=["reads", "writes", "calls", "fence"],
)
def test_accesses_of_a_region(region: str, orders: bool, is_only_read: bool) -> None:
    function = Module.parse(TEXT.format(caller="", region=region)).body("@region")
    assert any(may_order(i) for i in function.instructions()) is orders
    assert is_only_loaded_from(function.arguments[3]) is is_only_read
    read = next(i for i in function.instructions() if i.opcode == "load")
    assert bases_of(read.operands[0]) == [function.arguments[3]]
