"""Pointers that regions capture in variables, and reads of captures."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.integers.offsets import constant_place
from enzyme_cc.autodiff.normalise.threads.captured_pointers import pass_captured_pointers
from enzyme_cc.autodiff.normalise.threads.captures import read_captures_once
from enzyme_cc.ir.module import Module

TEXT = """
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
define double @f(ptr noalias %x, ptr %y) {{
entry:
  %a = alloca ptr
  %b = alloca ptr
  store ptr %x, ptr %a
  store ptr %y, ptr %b
  {caller}
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 2, ptr @region, ptr %a, ptr %b)
  ret double 0.0
}}
define internal void @region(ptr %t, ptr %z, ptr dereferenceable(8) %a, ptr dereferenceable(8) %b) {{
entry:
  br label %next
next:
  %p = load ptr, ptr %a
  %q = load ptr, ptr %b
  %n = load double, ptr %p
  store double %n, ptr %q
  {region}
  ret void
}}
"""


def passed(caller: str = "", region: str = "") -> str:
    return pass_captured_pointers(TEXT.format(caller=caller, region=region))


def test_pointers_are_operands_of_the_fork() -> None:
    text = passed()
    assert "@region.passed, ptr %x, ptr %y)" in text
    assert "define internal void @region.passed(ptr %t, ptr %z, ptr noalias " in text


@pytest.mark.parametrize(
    ("caller", "region"),
    [("", "store ptr null, ptr %b"), ("call void @g(ptr %b)", ""), ("", "%s = load double, ptr %b")],
    ids=["written", "escapes", "other"],
)
def test_variables_that_others_may_write_stay(caller: str, region: str) -> None:
    declared = "declare void @g(ptr)\n" + TEXT
    text = pass_captured_pointers(declared.format(caller=caller, region=region))
    assert "@region.passed, ptr %x, ptr %b)" in text


def test_integers_are_operands_of_the_fork_and_known_at_the_entry() -> None:
    text = """
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
define void @f(i32 %x) {
  %a = alloca i32
  store i32 %x, ptr %a
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 1, ptr @region, ptr %a)
  ret void
}
define internal void @region(ptr %t, ptr %z, ptr dereferenceable(4) %a) {
entry:
  %n = load i32, ptr %a
  br label %next
next:
  %m = phi i32 [ %n, %entry ], [ %o, %more ]
  %i = phi i64 [ 0, %entry ], [ %j, %more ]
  %again = icmp sgt i32 %m, 3
  br i1 %again, label %inner, label %more
inner:
  %p = load i32, ptr %a
  br label %more
more:
  %o = phi i32 [ %m, %next ], [ %p, %inner ]
  %w = sext i32 %o to i64
  %j = add i64 %i, 1
  %end = icmp eq i64 %j, %w
  br i1 %end, label %done, label %next
done:
  ret void
}
"""
    body = Module.parse(pass_captured_pointers(text)).body("@region.passed")
    assert [str(argument.type) for argument in body.arguments] == ["ptr", "ptr", "i64"]
    assert [i.name for i in body.instructions() if i.opcode == "phi"] == ["i"]
    assert {i.block.name for i in body.instructions() if i.opcode in ("trunc", "sext") and i.block} == {"entry"}


@pytest.mark.parametrize(
    ("region", "blocks"),
    [("", {"entry"}), ("store ptr null, ptr %b", {"next"}), ("call void @g(ptr %p)", {"next"})],
    ids=["once", "written", "unknown"],
)
def test_captures_are_read_at_the_entry(region: str, blocks: set[str]) -> None:
    module = Module.parse("declare void @g(ptr)\n" + TEXT.format(caller="", region=region))
    body = module.body("@region")
    read_captures_once(module, body)
    loads = [i for i in body.instructions() if i.opcode == "load" and str(i.type) == "ptr"]
    assert {i.block.name for i in loads if i.block is not None} == blocks


@pytest.mark.parametrize(("kind", "block"), [("double", "entry"), ("any pointer", "next")])
def test_fills_of_numbers_write_no_captures(kind: str, block: str) -> None:
    fill = "call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 64, i1 false), !tbaa !0"
    types = f'!0 = !{{!1, !1, i64 0}}\n!1 = !{{!"{kind}", !2, i64 0}}\n!2 = !{{!"omnipotent char", !3, i64 0}}\n'
    declared = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
    text = declared + TEXT.format(caller="", region=fill) + types + '!3 = !{!"Simple C/C++ TBAA"}\n'
    module = Module.parse(text)
    body = module.body("@region")
    read_captures_once(module, body)
    loads = [i for i in body.instructions() if i.opcode == "load" and str(i.type) == "ptr"]
    assert {i.block.name for i in loads if i.block is not None} == {block}


@pytest.mark.parametrize(
    ("offset", "block"), [(0, "entry"), (8, "entry"), (16, "next")], ids=["first", "second", "beyond what is known"]
)
def test_members_of_captures_are_read_at_the_entry(offset: int, block: str) -> None:
    region = f"%m = getelementptr i8, ptr %b, i64 {offset}\n  %member = load ptr, ptr %m"
    text = TEXT.replace("dereferenceable(8)", "dereferenceable(16)")
    module = Module.parse(text.format(caller="", region=region))
    body = module.body("@region")
    read_captures_once(module, body)
    loads = [i for i in body.instructions() if i.opcode == "load" and str(i.type) == "ptr"]
    place = body.arguments[3], offset
    assert [i.block and i.block.name for i in loads if constant_place(i.operands[0]) == place] == [block]


@pytest.mark.parametrize(
    ("caller", "region", "is_restrict"),
    [
        ("", "", True),
        ("", "store double 1.0, ptr %p", True),
        ("", "store double 1.0, ptr %p\n  call void @g(ptr null)", False),
        ("call void @g(ptr %x)", "", False),
        ("%row = getelementptr double, ptr %x, i64 8\n  store ptr %row, ptr %y", "", False),
        ("%row = getelementptr double, ptr %x, i64 8\n  store double 0.0, ptr %row", "", True),
    ],
    ids=["read", "written", "written beside calls", "passed on", "a second name", "accessed"],
)
def test_restrict_pointers_stay_so(caller: str, region: str, is_restrict: bool) -> None:
    text = "declare void @g(ptr)\n" + TEXT.format(caller=caller, region=region)
    assert (
        "ptr noalias" in pass_captured_pointers(text).split("@region.passed(ptr %t")[1].split(")")[0]
    ) is is_restrict


def test_restrict_pointers_stay_so_in_each_of_several_regions() -> None:
    assert _of_two_regions("") == ["noalias", "noalias"]


def test_what_a_region_keeps_is_a_second_name_in_all_regions() -> None:
    assert _of_two_regions("store ptr %p, ptr %q") == ["other", "other"]


def _of_two_regions(region: str) -> list[str]:
    """Returns what `restrict` pointers are in two regions, of which the second one has an atomic addition."""
    fork = "call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 2, ptr @second, ptr %a, ptr %b)"
    second = TEXT.format(caller="", region="%s = atomicrmw fadd ptr %q, double %n monotonic")
    second = (
        second[second.index("define internal") :].replace("@region", "@second").replace("store double %n, ptr %q", "")
    )
    text = pass_captured_pointers(TEXT.format(caller=fork, region=region) + second.replace("@region", "@second"))
    found = [text.split(f"@{name}.passed(ptr %t, ptr %z, ptr ")[1].split()[0] for name in ("region", "second")]
    return ["noalias" if word == "noalias" else "other" for word in found]
