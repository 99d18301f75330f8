"""Which functions are lowered: those that an exception passes on its way to a handler that ends it."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.unwinding.scope import Scope, catches, ends_what_it_catches, may_catch
from enzyme_cc.ir.module import Module

#: f calls middle, which calls thrower; `{clause}` is what its landing pad has, `{end}` how the handler ends
PROGRAM = """
@_ZTId = external constant ptr
declare double @__enzyme_autodiff(...)
declare void @__cxa_throw(ptr, ptr, ptr)
declare void @__cxa_rethrow()
declare void @native()
declare ptr @_ZNSolsEi(ptr, i32)
declare i32 @__gxx_personality_v0(...)
define void @thrower(ptr %e) {{
  call void @__cxa_throw(ptr %e, ptr @_ZTId, ptr null)
  unreachable
}}
define void @safe() {{
  call void @native()
  ret void
}}
define void @middle(ptr %e) {{
  call void @safe()
  call void @thrower(ptr %e){call_attributes}
  ret void
}}
define double @f(ptr %e) personality ptr @__gxx_personality_v0 {{
  invoke void @middle(ptr %e) to label %ok unwind label %caught
ok:
  ret double 1.0
caught:
  %pad = landingpad {{ ptr, i32 }} {clause}
  {end}
}}
define double @g(ptr %e) {{
  %d = call double (...) @__enzyme_autodiff(ptr @f, ptr %e)
  ret double %d
}}
define double @aside(ptr %e) {{
  call void @middle(ptr %e)
  ret double 1.0
}}
"""


def scope(clause: str = "catch ptr null", end: str = "ret double 0.0", call_attributes: str = "") -> Scope:
    text = PROGRAM.format(clause=clause, end=end, call_attributes=call_attributes)
    return Scope(text, Module.parse(text), frozenset(), frozenset(), False)


def test_functions_between_the_throw_and_the_handler_are_involved() -> None:
    assert scope().involved == {"@thrower", "@middle", "@f"}


@pytest.mark.parametrize(
    "clause, end",
    [
        ("catch ptr null", "call void @__cxa_rethrow()\n  unreachable"),
        ("cleanup", "resume { ptr, i32 } %pad"),
    ],
)
def test_nothing_is_involved_if_the_handler_throws_again(clause: str, end: str) -> None:
    assert not scope(clause, end).involved


def test_nothing_is_involved_behind_a_call_that_never_throws() -> None:
    assert scope(call_attributes=" nounwind").involved == set()


@pytest.mark.parametrize(("end", "is_ended"), [("ret double 0.0", True), ("unreachable", False)])
def test_callers_of_a_function_that_ends_its_exceptions_are_involved(end: str, is_ended: bool) -> None:
    text = PROGRAM.format(clause="catch ptr null", end=end, call_attributes="")
    text = text.replace("define double @f(ptr %e)", "define double @f(ptr %e) nounwind")
    text += "define double @outer(ptr %e) {\n  %d = call double @f(ptr %e) nounwind\n  ret double %d\n}\n"
    text = text.replace("(ptr @f, ptr %e)", "(ptr @outer, ptr %e)")
    found = Scope(text, Module.parse(text), frozenset(), frozenset(), False).involved
    assert found == ({"@thrower", "@middle", "@f", "@outer"} if is_ended else set())


def test_an_exception_leaves_the_calls_of_involved_functions_only() -> None:
    found = scope()
    calls = {str(i.callee): i for i in found.module.body("@middle").instructions() if i.opcode == "call"}
    assert found.may_throw(calls["@thrower"])
    assert not found.may_throw(calls["@safe"])


def test_what_a_stream_throws_is_caught_by_a_wrapper() -> None:
    found = scope()
    assert found.is_caught_native("@_ZNSolsEi")
    assert not found.is_caught_native("@native")
    assert not found.is_caught_native("@thrower")


def test_a_module_may_catch_if_some_handler_goes_on() -> None:
    assert may_catch(Module.parse(PROGRAM.format(clause="catch ptr null", end="ret double 0.0", call_attributes="")))
    again = PROGRAM.format(clause="cleanup", end="resume { ptr, i32 } %pad", call_attributes="")
    assert not may_catch(Module.parse(again))


def test_a_function_without_landing_pads_catches_nothing() -> None:
    module = scope().module
    assert catches(module, module.body("@f"))
    assert not catches(module, module.body("@middle"))


@pytest.mark.parametrize("end, ends", [("ret void", True), ("call void @__cxa_rethrow()\n  unreachable", False)])
def test_what_goes_on_behind_the_beginning_of_a_handler(end: str, ends: bool) -> None:
    declared = "declare ptr @__cxa_begin_catch(ptr)\ndeclare void @__cxa_rethrow()\n"
    module = Module.parse(
        f"{declared}define void @h(ptr %e) {{\n  %o = call ptr @__cxa_begin_catch(ptr %e)\n  {end}\n}}\n"
    )
    assert ends_what_it_catches(module, module.body("@h")) is ends
