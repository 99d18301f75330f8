"""What inactive functions store behind their arguments is stored again by their callers."""

from __future__ import annotations

from textwrap import dedent

import pytest

from enzyme_cc.autodiff.variants.inactive_pointers import with_inactive_pointers

from ..normalise.rewriting import body, lines

MODULE = dedent("""
    @__enzyme_inactivefn_fill = constant [1 x ptr] [ptr @fill]
    declare ptr @malloc(i64)
    define void @fill(ptr %t, ptr %other) {
      %new = call ptr @malloc(i64 8)
      %place = getelementptr i8, ptr %t, i64 16
      store ptr %new, ptr %place, align 8
      ret void
    }
    define void @f(ptr %t) {
      call void @fill(ptr %t, ptr null)
      ret void
    }
""")
PLACE = "  store ptr %new, ptr %place, align 8\n"


def test_the_copy_notes_where_it_stored() -> None:
    assert body(with_inactive_pointers(MODULE, verify=True), "@fill.noting") == lines("""
        %new = call ptr @malloc(i64 8)
        %place = getelementptr i8, ptr %t, i64 16
        store ptr %new, ptr %place, align 8
        %1 = ptrtoint ptr %place to i64
        store i64 %1, ptr %notes
        ret void
    """)


def test_the_caller_stores_again_what_is_there() -> None:
    """If nothing is noted, it loads and stores a variable of its own: the argument may be null."""
    assert body(with_inactive_pointers(MODULE, verify=True), "@f") == lines("""
        %1 = alloca i64, i64 1
        %2 = alloca ptr
        store ptr null, ptr %2
        store i64 0, ptr %1
        call void @fill.noting(ptr %t, ptr null, ptr %1)
        %3 = load i64, ptr %1
        %4 = getelementptr i8, ptr %t, i64 16
        %5 = ptrtoint ptr %4 to i64
        %6 = icmp eq i64 %5, %3
        %7 = icmp ne i64 %3, 0
        %8 = and i1 %6, %7
        %9 = select i1 %8, ptr %4, ptr %2
        %10 = load ptr, ptr %9
        %11 = call ptr @__ez_constant_memory(ptr %10)
        store ptr %11, ptr %9
        ret void
    """)


def test_a_place_may_lie_behind_a_pointer_there() -> None:
    behind = PLACE.replace("%place,", "%behind,")
    address = "  %there = load ptr, ptr %place\n  %behind = getelementptr i8, ptr %there, i64 8\n"
    found = body(with_inactive_pointers(MODULE.replace(PLACE, address + behind), verify=True), "@f")
    assert found[7:11] == lines("""
        %5 = icmp ne i64 %3, 0
        %6 = select i1 %5, ptr %4, ptr %2
        %7 = load ptr, ptr %6
        %8 = getelementptr i8, ptr %7, i64 8
    """)


def test_functions_that_it_calls_note_too() -> None:
    text = MODULE.replace(PLACE, "  call void @put(ptr %place, ptr %new)\n") + dedent("""
        define void @put(ptr %place, ptr %p) {
          %new = call ptr @malloc(i64 8)
          store ptr %new, ptr %place, align 8
          ret void
        }
    """)
    assert body(with_inactive_pointers(text, verify=True), "@fill.noting")[4:] == lines("""
        call void @put.noting(ptr %place, ptr %new, ptr %1)
        %2 = load i64, ptr %1
        %3 = icmp ne i64 %2, 0
        %4 = load i64, ptr %notes
        %5 = select i1 %3, i64 %2, i64 %4
        store i64 %5, ptr %notes
        ret void
    """)


def test_callers_that_inactive_functions_call_store_again_too() -> None:
    text = MODULE + dedent("""
        @__enzyme_inactivefn_all = constant [1 x ptr] [ptr @all]
        define void @all(ptr %t) {
          call void @f(ptr %t)
          ret void
        }
    """)
    assert any("@__ez_constant_memory" in line for line in body(with_inactive_pointers(text, verify=True), "@f"))


def test_functions_that_call_each_other_note_what_they_store_themselves() -> None:
    """What the one stores behind the other's argument is known of the first of them only."""
    text = MODULE.replace(PLACE, "  call void @put(ptr %place, ptr %t)\n") + dedent("""
        define void @put(ptr %place, ptr %t) {
          %new = call ptr @malloc(i64 8)
          store ptr %new, ptr %place, align 8
          call void @fill(ptr %place, ptr %t)
          ret void
        }
    """)
    found = with_inactive_pointers(text, verify=True)
    assert "call void @fill(ptr %place, ptr %t)" in body(found, "@put.noting")


def test_pointers_that_it_copies_are_not_noted() -> None:
    """They may lead to memory with a shadow."""
    text = MODULE.replace(PLACE, PLACE + PLACE.replace("%new", "%other"))
    found = body(with_inactive_pointers(text, verify=True), "@fill.noting")
    assert "store i64 0, ptr %notes" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("_inactivefn_", "_nofree_"),
        ("i64 16", "i64 %n"),
        (PLACE, ""),
        ("store ptr %new", "store ptr null"),
        ("store ptr %new", "store ptr %t"),
    ],
)
def test_other_functions_stay_as_they_are(old: str, new: str) -> None:
    text = MODULE.replace(old, new).replace("ptr %other", "i64 %n").replace("ptr null", "i64 2")
    assert with_inactive_pointers(text, verify=True) == text
