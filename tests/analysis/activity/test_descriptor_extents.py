"""Extents in descriptors of arrays are no bits of numbers, though integers lie where numbers lie, too."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.unsupported import find_unsupported

from .inputs import Input
from .refused import ACTIVE

FUNCTION = """
define double @f(double %number, ptr %p, ptr %q) {{
  %loaded = load i64, ptr %p
  %cast = bitcast double %number to i64
  %extent = add i64 {source}, 1
  store i64 {stored}, ptr %q, !tbaa !{tag}
  %x = load double, ptr %p
  %y = load double, ptr %q
  %z = fadd double %x, %y
  ret double %z
}}
!0 = !{{!1, !1, i64 0}}
!1 = !{{!"descriptor member", !5, i64 0}}
!2 = !{{!3, !4, i64 8}}
!3 = !{{!"ez_dimension", !4, i64 0, !4, i64 8, !4, i64 16}}
!4 = !{{!"long", !5, i64 0}}
!5 = !{{!"any access", !6, i64 0}}
!6 = !{{!"root"}}
!7 = !{{!8, !8, i64 0}}
!8 = !{{!"any data access", !5, i64 0}}"""


@pytest.mark.parametrize(
    ("source", "stored", "tag", "is_refused"),
    [
        ("%loaded", "%extent", 0, False),
        ("%loaded", "%extent", 2, False),
        ("%loaded", "%extent", 7, True),
        ("%cast", "%extent", 0, True),
        ("%loaded", "%loaded", 0, True),
    ],
    ids=["by flang", "by the library", "elsewhere", "of a number that is cast", "only moved"],
)
def test_a_computed_extent_is_stored(source: str, stored: str, tag: int, is_refused: bool) -> None:
    f = Input(FUNCTION.format(source=source, stored=stored, tag=tag), "out dup const", ACTIVE)
    assert any(i.opcode == "store" for i, _ in find_unsupported(f.activity)) is is_refused
