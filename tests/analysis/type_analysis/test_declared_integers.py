"""What `!tbaa` declares integers of less than a word copies nothing, unless such an integer may carry a number."""

from __future__ import annotations

import pytest

from tests.analysis.support import Analysed

_COPIES = """
define void @f(ptr %a, ptr %b, ptr %x) {{
  {value}
  %n = load i32, ptr %a, !tbaa !1
  store i32 %n, ptr %b, !tbaa !1
  ret void
}}
!0 = !{{!"{type}", !2}}
!1 = !{{!0, !0, i64 0}}
!2 = !{{!"omnipotent char", !3}}
!3 = !{{!"Simple C/C++ TBAA"}}
"""
_DOUBLE = "%d = load double, ptr %x"


def _count_copies(type_: str, value: str) -> int:
    a = Analysed(_COPIES.format(type=type_, value=value))
    (instance,) = a.types._program.instances[a.function("f")]
    nodes = {h.node.find() for h in instance.values.values() if h is not None}
    return sum(not edge.view for node in nodes for edge in node.edges)


def test_integers_copy_nothing_where_no_number_is_as_small() -> None:
    assert _count_copies("int", _DOUBLE) == 0


@pytest.mark.parametrize(
    "value",
    ["%s = load float, ptr %x", "%d = load double, ptr %x\n %w = bitcast double %d to i64\n store i64 %w, ptr %x"],
)
def test_integers_copy_what_may_be_bits_of_numbers(value: str) -> None:
    assert _count_copies("int", value) > 0


def test_what_is_declared_nothing_copies_whatever_it_is() -> None:
    assert _count_copies("omnipotent char", _DOUBLE) > 0


def test_a_constant_that_is_stored_says_what_lies_there() -> None:
    a = Analysed("define void @f(ptr %a) {\n store i32 7, ptr %a\n ret void\n}")
    assert a.layout(a.function("f").arguments[0], 4) == "-: 0+4 integer"
