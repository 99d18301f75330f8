"""Pools: pointers in globals to heap blocks of numbers, of which a request may make shadows."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.core.pointers import GlobalPointer, Pool
from enzyme_cc.autodiff.globals.global_users import Unclear, Users
from enzyme_cc.autodiff.globals.heap import pools_of
from enzyme_cc.autodiff.globals.heap_escapes import escape_of
from enzyme_cc.autodiff.globals.heap_holders import Holder
from enzyme_cc.autodiff.globals.heap_origins import Origin

from ..rounds import DOUBLE, POINTER, prepared

#: f reads the first number behind @work; `{}` is what another function does with the block
PROGRAM = """
@work = internal global ptr null
@end = internal global ptr null
@public = global ptr null
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @look(ptr captures(none))
declare void @keep(ptr)

define void @setup(ptr %argument) {{
  %block = call ptr @malloc(i64 80)
  {}
  store ptr %block, ptr @work{pointer}
  ret void
}}
define double @f(double %x) {{
  %p = load ptr, ptr @work{pointer}
  %y = load double, ptr %p{double}
  store double %x, ptr %p{double}
  ret double %y
}}
"""


def program(line: str = "") -> str:
    return PROGRAM.format(line.replace("!P", POINTER), pointer=POINTER, double=DOUBLE)


def pools(line: str = "", *others: str) -> list[Pool]:
    names = ["@work", *others]
    return pools_of(prepared(program(line)), {name: [0] for name in names}, names)


def test_a_global_that_only_holds_addresses_of_blocks_is_a_pool() -> None:
    assert pools() == [Pool([GlobalPointer("@work", 0)], [], "malloc")]
    assert pools()[0].free == "free"


def test_an_address_inside_a_block_belongs_to_the_pool() -> None:
    line = "%last = getelementptr double, ptr %block, i64 10\n  store ptr %last, ptr @end!P"
    assert pools(line, "@end") == [Pool([GlobalPointer("@work", 0)], [GlobalPointer("@end", 0)], "malloc")]


@pytest.mark.parametrize(
    "line", ["call void @free(ptr %block)", "call void @look(ptr %block)", "store ptr null, ptr @work!P"]
)
def test_uses_that_keep_no_address_are_harmless(line: str) -> None:
    assert pools(line)


@pytest.mark.parametrize(
    "line",
    [
        "store ptr %block, ptr @public!P",
        "store ptr %block, ptr %argument!P",
        "store ptr %argument, ptr @work!P",
        "call void @keep(ptr @work)",
    ],
)
def test_a_block_that_another_way_leads_to_is_in_no_pool(line: str) -> None:
    assert not pools(line)


def test_a_function_without_bitcode_may_keep_the_address() -> None:
    """It cannot be differentiated, so no derivative depends on what it does with the numbers."""
    assert pools("call void @keep(ptr %block)")


def holder(line: str = "") -> Holder:
    round = prepared(program(line))
    users = Users(round)
    found = Holder(round, users, "@work", [0])
    assert found.follow(users.of("@work"))
    return found


def test_a_holder_knows_what_is_stored_in_its_pointers_and_loaded() -> None:
    found, word = holder(), GlobalPointer("@work", 0)
    assert [value.name for value in found.stored_in(word)] == ["block"]
    assert [value.name for value in found.loaded_from(word)] == ["p"]


def test_the_origin_of_a_pointer_is_the_call_that_made_the_block() -> None:
    found = holder()
    origin = Origin(found.round, {"@work": found}, found.words[0])
    assert [str(call.callee) for call in origin.made] == ["@malloc"]
    assert not origin.is_moved


def test_an_escape_tells_the_global_that_holds_the_block() -> None:
    found = holder("store ptr %block, ptr @end!P")
    reason = escape_of(found, {"@work": found})
    assert isinstance(reason, Unclear)
    assert reason.at == "@end"
    assert escape_of(holder(), {"@work": holder()}) is None
