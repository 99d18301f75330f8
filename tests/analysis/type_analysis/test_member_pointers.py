"""Calls by pointers to member functions say nothing about the first word of an object."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.type_analysis.constraints.member_pointers import is_virtual_function, is_vtable

from ..support import Analysed


@pytest.mark.parametrize(
    "place",
    ["%v = getelementptr i8, ptr %t, i64 %p\n  %w = getelementptr i8, ptr %v, i64 -1",
     "%v = add i64 %p, -1\n  %w = getelementptr i8, ptr %t, i64 %v",
     "%v = sub i64 %p, 1\n  %w = getelementptr i8, ptr %t, i64 %v"],
)  # fmt: skip
def test_no_vtable_lies_where_a_class_without_one_has_numbers(place: str) -> None:
    """(object.*member)(): the first word would be a vtable if the member pointer were odd."""
    a = Analysed(f"""
define double @f(ptr %object, i64 %p) {{
  %x = load ptr, ptr %object
  %n = load double, ptr %x
  %b = and i64 %p, 1
  %is = icmp eq i64 %b, 0
  br i1 %is, label %plain, label %virtual
virtual:
  %t = load ptr, ptr %object
  {place}
  %g = load ptr, ptr %w
  br label %plain
plain:
  %h = phi ptr [ %g, %virtual ], [ null, %0 ]
  %r = call double %h(ptr %object)
  ret double %n
}}""")
    loads = {i.name: i for i in a.all("f", "load")}
    assert is_vtable(loads["t"]) and is_virtual_function(loads["g"]) and not is_vtable(loads["x"])
    x = next(i for i in a.all("f", "load") if i.name == "x")
    assert not a.types.contents(x, 8).is_mixed
