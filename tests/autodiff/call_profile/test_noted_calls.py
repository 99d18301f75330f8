"""Calls through pointers are noted, and functions named, in a module's text."""

from __future__ import annotations

from enzyme_cc.autodiff.call_profile.noted_calls import (
    with_local_names,
    with_named_functions,
    with_noted_calls,
    with_used_calls,
)
from enzyme_cc.ir.module import Module

TEXT = """\
@table = constant [2 x ptr] [ptr @power, ptr @sin]

define internal double @power(double %x) unnamed_addr #0 {
  ret double %x
}

define double @plain(double %x) {
  ret double %x
}

define double @apply(ptr %f, ptr %"g h", double %x) personality ptr @keep {
  %1 = tail call fastcc noundef double %f(double noundef %x)
  %2 = invoke double %"g h"(double %1) to label %next unwind label %pad
next:
  call void asm sideeffect "nop $0", "r"(ptr %f)
  call void (ptr, ...) %f(ptr @plain)
  %3 = call double @plain(double %2)
  ret double %3
pad:
  %4 = landingpad { ptr, i32 } cleanup
  ret double %x
}

declare double @sin(double)
declare double @elsewhere(double)
declare i32 @keep(...)

attributes #0 = { nounwind }
"""


def test_each_call_through_a_pointer_is_noted() -> None:
    lines = with_noted_calls(TEXT).splitlines()
    noted = [line.split("(ptr ")[1].rstrip(")") for line in lines if line.startswith("  call void @__ez_note_call")]
    assert noted == ["%f", '%"g h"', "%f"]
    assert lines[lines.index("  call void @__ez_note_call(ptr %f)") + 1].startswith("  %1 = tail call")
    assert "declare void @__ez_note_call(ptr)" in lines


def test_a_module_without_such_calls_is_left_as_it_is() -> None:
    text = "define void @f() {\n  ret void\n}\n"
    assert with_noted_calls(text) == text


def test_functions_whose_address_is_taken_are_named() -> None:
    local = with_local_names(TEXT, "a.c")
    assert '@power(double %x) unnamed_addr "enzyme-profiled-as"="a.c:power" #0 {' in local
    grouped = TEXT.replace("{ nounwind }", '{ nounwind "enzyme-profiled-as"="a.c:power" }')
    named = with_named_functions(grouped)
    Module.parse(named)
    texts = [line.partition(' c"')[2] for line in named.splitlines() if line.startswith("@__ez_named_functions.")]
    assert texts == [r'a\2Ec\3Apower\00"', r'plain\00"', r'sin\20of\20a\20library\00"']
    assert "[4 x { ptr, ptr }]" in named  # with the end


def test_a_module_says_that_a_profile_was_used() -> None:
    assert "__ez_used_calls" in "".join(Module.parse(with_used_calls(TEXT)).globals)
