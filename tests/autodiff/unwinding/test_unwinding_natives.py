"""Functions between lowered and native code."""

from __future__ import annotations

from enzyme_cc.autodiff.unwinding import natives
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import DOUBLE, PTR, VOID, FunctionType
from enzyme_cc.ir.values import Instruction
from enzyme_cc.ir.verify import verify_module

from ..normalise.rewriting import body, lines

MODULE = """
declare i32 @__gxx_personality_v0(...)
declare ptr @read(ptr)
declare double @__enzyme_autodiff(...)
define double @f(double %x) {
  ret double %x
}
define double @f.unwinding(double %x, ptr %unwinding) {
  ret double %x
}
define double @g(ptr %p) {
  %q = call ptr @read(ptr returned nonnull %p)
  %x = load double, ptr %q
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
define double @h(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %d = invoke double (...) @__enzyme_autodiff(ptr @f, double %x) to label %ok unwind label %pad
ok:
  %r = phi double [ %d, %entry ]
  ret double %r
pad:
  %which = phi double [ 1.0, %entry ]
  %e = landingpad { ptr, i32 } catch ptr null
  ret double %which
}
"""


def module() -> Module:
    return Module.parse(MODULE)


def call(made: Module, function: str, callee: str) -> Instruction:
    calls = (i for i in made.body(function).instructions() if i.opcode in ("call", "invoke"))
    return next(i for i in calls if str(i.callee) == callee)


def test_a_native_function_is_caught_and_gives_zero_then() -> None:
    made = module()
    around = natives.around_native(made, call(made, "@g", "@read"), "@read")
    verify_module(made, "the test")
    assert around.arguments[0].attributes == "nonnull"
    assert body(str(made), around.name) == lines("""
          %2 = invoke ptr @read(ptr nonnull %0)
          to label %3 unwind label %4
        3:
          ret ptr %2
        4:
          %5 = landingpad { ptr, i32 }
          catch ptr null
          %6 = extractvalue { ptr, i32 } %5, 0
          call void @__ez_unwind_keep(ptr %6)
          ret ptr null
    """)


def test_the_entry_of_a_request_keeps_what_leaves_the_lowered_copy() -> None:
    made = module()
    entry = natives.entry_of(made, made.functions["@f"], made.functions["@f.unwinding"], "")
    assert entry.name == "@f.outermost"
    assert body(str(made), entry.name)[2:] == lines("""
          %3 = call double @f.unwinding(double %0, ptr %2)
          call void @__ez_unwind_leave(ptr %2)
          ret double %3
    """)


def dispatched(others_throw: bool) -> str:
    made, type_ = module(), FunctionType(DOUBLE, (DOUBLE,))
    copies = {"@f": made.functions["@f.unwinding"], "@other": None}
    made.declare("@other", type_)
    name = natives.dispatching(made, type_, ("",), copies, others_throw).name
    verify_module(made, "the test")
    return "\n".join(body(str(made), name))


def test_a_pointer_leads_to_the_lowered_copy_of_its_target() -> None:
    text = dispatched(others_throw=False)
    assert "call double @f.unwinding(double %1, ptr %2)" in text
    assert "call double @other(double %1)" in text
    assert "call double %0(double %1)" in text


def test_what_unknown_targets_throw_is_caught_only_if_they_may_throw() -> None:
    assert "@__ez_unwind_adopt" in dispatched(others_throw=True)
    assert "@__ez_unwind_adopt" not in dispatched(others_throw=False)


def test_destructors_of_thrown_objects_are_called_by_address() -> None:
    made = module()
    made.declare("@destroy", FunctionType(VOID, (PTR,)))
    natives.destroying(made, {"@destroy": None})
    assert "call void @destroy(ptr %1)" in body(str(made), "@__ez_unwind_destroy")


def test_what_left_a_derivative_is_thrown_behind_a_call() -> None:
    made = module()
    natives.rethrow_behind(made, call(made, "@g", "@__enzyme_autodiff"))
    assert body(str(made), "@g")[2:4] == lines("""
          %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
          call void @__ez_unwind_rethrow_escaped()
    """)


def test_what_left_a_derivative_reaches_the_handler_of_an_invoke() -> None:
    made = module()
    natives.rethrow_behind(made, call(made, "@h", "@__enzyme_autodiff"))
    found = body(str(made), "@h")
    assert "invoke void @__ez_unwind_rethrow_escaped()" in found
    assert "%which = phi double [ 1.0, %entry ], [ 1.0, %0 ]" in found
