"""Calls, arguments and the ends of programs in plain forms."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.plain_forms import (
    call_for_invokes,
    copy_byval,
    drop_unreached,
    raise_iterations,
    stop_beyond_primal,
)
from enzyme_cc.ir.module import Module

from .rewriting import becomes, body, is_unchanged


def test_an_argument_by_value_is_copied_at_the_entry() -> None:
    text = """
define void @f(ptr {}%p) {{
  store double 1.0, ptr %p
  ret void
}}
"""
    module = Module.parse(text.format("byval(double) align 8 "))
    copy_byval(module, module.body("@f"))
    found = body(str(module))
    assert found[0].split(" = ")[1].startswith("alloca double")
    assert "@llvm.memcpy" in found[1]
    assert "byval" not in str(module)
    is_unchanged(copy_byval, text.format(""))


def test_more_iterations_are_added() -> None:
    becomes(
        lambda _, function: raise_iterations(function),
        """
        declare i64 @__enzyme_iter(i64, i64)
        define i64 @f(i64 %n) {
          %k = call i64 @__enzyme_iter(i64 %n, i64 3)
          ret i64 %k
        }
        """,
        """
          %1 = add i64 %n, 3
          %k = call i64 @__enzyme_iter(i64 %1, i64 3)
          ret i64 %k
        """,
    )


def test_an_invoke_becomes_a_call_that_goes_on() -> None:
    text = """
declare i32 @personality(...)
declare void @g()
define void @f() personality ptr @personality {
entry:
  invoke void @g() to label %on unwind label %caught
on:
  ret void
caught:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}
"""
    module = Module.parse(text)
    function = module.body("@f")
    call_for_invokes(function)
    drop_unreached(function)
    assert [i.opcode for i in function.instructions()] == ["call", "br", "ret"]


def test_what_only_the_primal_may_do_ends_a_derivative() -> None:
    text = """
@name = constant [5 x i8] c"fork\\00"
declare void @__ez_primal_only(ptr)
declare void @fork()
define void @f() {
  call void @__ez_primal_only(ptr @name)
  call void @fork()
  ret void
}
"""
    module = Module.parse(text)
    stop_beyond_primal(module.body("@f"))
    opcodes = [i.opcode for i in module.body("@f").entry.instructions]
    assert opcodes[-1] == "unreachable"
    is_unchanged(lambda _, f: stop_beyond_primal(f), text.replace("  call void @__ez_primal_only(ptr @name)\n", ""))
