"""Pointers in memory that other code made: the runtime keeps the shadows of those that a derivative stores there."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form

from .emitted import lines, runtime_calls

STORED = "store ptr %p, ptr %h!P\n  %q = load ptr, ptr %h!P\n  %y = load double, ptr %q!D"
#: a new block whose address is stored behind %h
LEFT = """%m = call ptr @malloc(i64 8)
  store double %x, ptr %m!D
  store ptr %m, ptr %h!P
  %y = load double, ptr %m!D"""


def calls(body: str, form: Form = Form.COMBINED, parameter: str = "ptr %p", asks: bool = True) -> list[str]:
    arguments = "dup" if form is Form.TANGENT or parameter.startswith("ptr") else "out"
    return runtime_calls(lines(body, form, arguments=arguments, parameter=parameter, asks=asks))


def test_a_stored_pointer_is_recorded_and_found_where_it_is_loaded() -> None:
    found = [name for name in calls(STORED) if name.startswith("foreign")]
    assert found == ["foreign_store", "foreign_load", "foreign_number"]


def test_unshadowed_memory_holds_the_pointer_itself_and_not_its_shadow() -> None:
    found = lines(STORED, arguments="dup", parameter="ptr %p")
    assert any("select i1" in line and line.endswith(", ptr %0, ptr %1") for line in found)


def test_a_pointer_in_memory_with_a_shadow_is_not_recorded() -> None:
    own = STORED.replace("store", "%own = alloca ptr\n  store", 1).replace("%h", "%own")
    assert not any(name.startswith("foreign_store") for name in calls(own))


def test_nothing_is_recorded_where_the_run_is_not_asked() -> None:
    assert not [name for name in calls(STORED, asks=False) if name.startswith("foreign")]


def test_a_new_block_whose_address_is_left_there_keeps_its_shadow() -> None:
    assert "owned_made" in calls(LEFT, parameter="double %x")
    assert "owned_made" in calls(LEFT, Form.TANGENT, parameter="double %x")


def test_a_pointer_that_may_be_older_leaves_no_block() -> None:
    assert "owned_made" not in calls(STORED)


def test_a_copy_takes_the_records_along() -> None:
    copy = """%own = alloca ptr
  store ptr %p, ptr %own!P
  call void @llvm.memcpy.p0.p0.i64(ptr %h, ptr %own, i64 8, i1 false)
  %q = load ptr, ptr %h!P
  %y = load double, ptr %q!D"""
    assert "foreign_enter" in calls(copy)
    assert "foreign_enter" not in calls(
        copy.replace("ptr %h,", "ptr %own2,").replace("%own =", "%own2 = alloca ptr\n  %own =")
    )
