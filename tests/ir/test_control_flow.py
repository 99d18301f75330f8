"""Functions with terminators, exceptions, labels: printed as parsed, with uses and predecessors that fit."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.text.lexer import IRSyntaxError
from enzyme_cc.ir.values import Block, Instruction
from tests.ir.llvm_check import as_llvm_prints, parsed, without_comments

DECLARATIONS = """@type = external constant ptr

declare void @may_throw(i32)

declare i32 @personality(...)

declare i32 @__CxxFrameHandler3(...)

"""

FUNCTIONS = {
    "branch": """define i32 @f(i1 %c) {
entry:
  br i1 %c, label %yes, label %"no, really"

yes:
  br label %end

"no, really":
  br label %end

end:
  %r = phi i32 [ 1, %yes ], [ 2, %"no, really" ]
  ret i32 %r
}""",
    "loop_with_forward_references": """define double @f(i64 %0) {
  br label %2

2:
  %3 = phi i64 [ 0, %1 ], [ %6, %2 ]
  %4 = phi fast double [ 0.000000e+00, %1 ], [ %5, %2 ]
  %5 = fadd double %4, 1.000000e+00
  %6 = add i64 %3, 1
  %7 = icmp eq i64 %6, %0
  br i1 %7, label %8, label %2, !llvm.loop !0

8:
  ret double %5
}

!0 = distinct !{!0}""",
    "switch": """define void @f(i32 %i) {
  switch i32 %i, label %default [
    i32 0, label %zero
    i32 -7, label %default
  ], !prof !0

zero:
  ret void

default:
  unreachable
}

!0 = !{!"branch_weights", i32 1, i32 2, i32 3}""",
    "empty_switch": """define void @f(i32 %i) {
  switch i32 %i, label %1 [
  ]

1:
  ret void
}""",
    "indirect_branch": """define void @f(ptr %p) {
  indirectbr ptr %p, [label %a, label %b]

a:
  ret void

b:
  unreachable
}""",
    "invoke_and_landing_pad": """define void @f(i32 %i) personality ptr @personality {
  invoke void @may_throw(i32 noundef %i)
          to label %1 unwind label %2, !prof !0

1:
  ret void

2:
  %3 = landingpad { ptr, i32 }
          cleanup
          catch ptr @type
          catch ptr null
          filter [1 x ptr] [ptr @type]
  %4 = extractvalue { ptr, i32 } %3, 0
  resume { ptr, i32 } %3
}

!0 = !{!"branch_weights", i32 1, i32 2}""",
    "cleanup_alone": """define void @f() personality ptr @personality {
  invoke void @may_throw(i32 1) [ "tag"(i32 1) ]
          to label %1 unwind label %2

1:
  ret void

2:
  %3 = landingpad { ptr, i32 }
          cleanup, !note !0
  resume { ptr, i32 } %3
}

!0 = !{}""",
    "funclets": """define void @f() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw(i32 1)
          to label %done unwind label %switch

switch:
  %s = catchswitch within none [label %handler] unwind label %cleanup

handler:
  %p = catchpad within %s [ptr null, i32 64, ptr null]
  catchret from %p to label %done

cleanup:
  %c = cleanuppad within none []
  call void @may_throw(i32 2) [ "funclet"(token %c) ]
  cleanupret from %c unwind to caller

done:
  ret void
}""",
    "nested_funclets": """define void @f() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw(i32 1)
          to label %done unwind label %switch

switch:
  %s = catchswitch within none [label %handler] unwind label %outer

handler:
  %p = catchpad within %s [ptr null, i32 64, ptr null]
  invoke void @may_throw(i32 2) [ "funclet"(token %p) ]
          to label %back unwind label %cleanup

back:
  catchret from %p to label %done

cleanup:
  %c = cleanuppad within %p []
  cleanupret from %c unwind label %outer

outer:
  %o = cleanuppad within none []
  cleanupret from %o unwind to caller

done:
  ret void
}""",
    "callbr": """define i32 @f(i32 %i) {
  %r = callbr i32 asm "jmp ${2:l}", "=r,r,!i,!i"(i32 %i)
          to label %1 [label %2, label %3]

1:
  ret i32 %r

2:
  ret i32 1

3:
  ret i32 2
}""",
    "unnamed_arguments": """define i32 @f(i32 %0, i32 noundef %named, ptr readonly captures(none) %1, ...) #0 {
  %3 = add i32 %0, %named
  ret i32 %3
}

attributes #0 = { nounwind "target-cpu"="x86-64" }""",
    "header_words": """define weak_odr dso_local hidden fastcc noundef nonnull align 8 dereferenceable(4) ptr """
    """@f(ptr returned %p) local_unnamed_addr section ".text.f" align 32 gc "statepoint-example" """
    """prefix i32 7 personality ptr @personality {
  ret ptr %p
}""",
    "use_before_definition_in_text_order": """define i32 @f() {
  br label %last

middle:
  %double = add i32 %one, %one
  ret i32 %double

last:
  %one = add i32 0, 1
  br label %middle
}""",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_is_printed_as_parsed(name: str) -> None:
    text = DECLARATIONS + FUNCTIONS[name] + "\n"
    printed = str(parsed(text))
    assert without_comments(printed) == without_comments(text)
    assert as_llvm_prints(printed) == as_llvm_prints(text)


INVALID = {
    "two_terminated_by_one": ("  %1 = add i32 0, 1\nnext:\n  ret void", "no terminator"),
    "no_terminator": ("  %1 = add i32 0, 1", "no terminator"),
    "nothing": ("", "no terminator"),
    "label_twice": ("a:\n  br label %a\na:\n  ret void", "defined twice"),
    "label_is_a_value": ("  %x = add i32 0, 1\n  br label %x", "not a block"),
    "value_is_a_label": ("a:\n  %x = add i32 %a, 1\n  ret void", "of type label"),
    "forward_reference_of_other_type": (
        "  br label %b\na:\n  %y = add i32 %x, 1\n  ret void\nb:\n  %x = add i64 0, 1\n  br label %a",
        "%x is of type i64, but was used as i32",
    ),
    "switch_without_end": ("  switch i32 0, label %a [\n    i32 1, label %a", "expected a type"),
    "invoke_without_destination": ("  invoke void @may_throw(i32 1)\n  ret void", "expected 'to'"),
    "label_number_too_low": ("3:\n  br label %1\n1:\n  ret void", "expected the number %4"),
}


@pytest.mark.parametrize("name", INVALID)
def test_invalid_function_is_refused(name: str) -> None:
    body, reason = INVALID[name]
    with pytest.raises(IRSyntaxError) as caught:
        parsed(f"{DECLARATIONS}define void @f() {{\n{body}\n}}\n")
    assert reason in caught.value.reason


def _values(name: str) -> dict[str, Instruction | Block]:
    function = parsed(DECLARATIONS + FUNCTIONS[name]).body("@f")
    blocks = {block.name: block for block in function.blocks}
    return {**blocks, **{x.name: x for x in function.instructions()}}


def test_forward_reference_is_the_very_object() -> None:
    values = _values("use_before_definition_in_text_order")
    one, double = values["one"], values["double"]
    assert isinstance(double, Instruction)
    assert double.operands == [one, one]
    assert one.users == {double: 2}


def test_users_of_a_block_are_its_predecessors_and_phis() -> None:
    values = _values("branch")
    end, yes, no = values["end"], values["yes"], values['"no, really"']
    assert isinstance(end, Block) and isinstance(yes, Block)
    assert end.predecessors == [yes, no]
    assert [user.opcode for user in yes.users] == ["br", "phi"]
    assert [block.name for block in yes.predecessors] == ["entry"]


def test_loop_phi_refers_to_its_own_block() -> None:
    function = parsed(FUNCTIONS["loop_with_forward_references"]).body("@f")
    entry, loop, exit_block = function.blocks
    phi = loop.phis[0]
    assert [block for _, block in phi.incoming] == [entry, loop]
    assert phi.incoming[1][0] is loop.instructions[3]
    assert loop.predecessors == [entry, loop]
    assert exit_block.predecessors == [loop]


def test_implicit_entry_and_numbers_without_names() -> None:
    text = "define i32 @f(i32 %0) {\n  add i32 %0, 1\n  call void @g()\n  ret i32 %2\n}\ndeclare void @g()\n"
    assert "%2 = add i32 %0, 1" in str(parsed(text))


def test_numbers_may_have_gaps() -> None:
    printed = str(parsed("define i32 @f(i32 %0) {\n  %7 = add i32 %0, 1\n  ret i32 %7\n}\n"))
    assert "%2 = add i32 %0, 1" in printed
