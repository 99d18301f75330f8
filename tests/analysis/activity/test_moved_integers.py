"""Integers whose bits move on, through functions: only these may lose a derivative."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.moved_integers import MovedIntegers
from enzyme_cc.analysis.callees import Callees
from tests.analysis.support import Analysed

PROGRAM = """
%struct.table = type {{ ptr, i64 }}
define internal i64 @get(ptr %t, i64 %key) {{
  {use}
}}
define i64 @f(ptr %t, i64 %word) {{
  %r = call i64 @get(ptr %t, i64 %word)
  store i64 %r, ptr %t, !tbaa !0
  ret i64 0
}}
!0 = !{{!1, !2, i64 8}}
!1 = !{{!"table", !3, i64 0, !2, i64 8}}
!2 = !{{!"long", !4, i64 0}}
!3 = !{{!"any pointer", !4, i64 0}}
!4 = !{{!"omnipotent char", !5, i64 0}}
!5 = !{{!"Simple C/C++ TBAA"}}
"""


def moves_on(use: str) -> bool:
    analysed = Analysed(PROGRAM.format(use=use))
    moved = MovedIntegers(Callees(analysed.module), analysed.types)
    return moved.move_on(analysed.function("f").arguments[1])


@pytest.mark.parametrize(
    "use",
    [
        "store i64 %key, ptr %t\n ret i64 0",
        "%h = lshr i64 %key, 32\n %i = trunc i64 %h to i32\n store i32 %i, ptr %t\n ret i64 0",
        "%p = inttoptr i64 %key to ptr\n store ptr %p, ptr %t\n ret i64 0",
        "%d = bitcast i64 %key to double\n store double %d, ptr %t\n ret i64 0",
    ],
    ids=["stored", "a part is stored", "becomes a pointer", "becomes a number"],
)
def test_bits_that_go_to_memory_or_to_another_type_move_on(use: str) -> None:
    assert moves_on(use)


@pytest.mark.parametrize(
    "use",
    [
        "%c = icmp eq i64 %key, 7\n %r = zext i1 %c to i64\n ret i64 %r",
        "%p = getelementptr i64, ptr %t, i64 %key\n %r = load i64, ptr %p\n ret i64 %r",
        "store i64 %key, ptr %t, !tbaa !0\n ret i64 0",
        "ret i64 %key",
    ],
    ids=["compared", "an index", "a member that is an integer", "returned, and stored in such a member"],
)
def test_others_do_not(use: str) -> None:
    assert not moves_on(use)
