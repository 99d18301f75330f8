"""Numbers in memory that other code made: the runtime keeps their shadows, if the run finds that it has none."""

from __future__ import annotations

from enzyme_cc.autodiff.core.signature import Form
from enzyme_cc.autodiff.emit.shadow_access.number_places import Presence, Purpose

from .emitted import lines, runtime_calls

STORED = "store double %x, ptr %h!D\n  %y = load double, ptr %h!D"
COPIED = """%own = alloca double
  store double %x, ptr %own!D
  call void @llvm.memcpy.p0.p0.i64(ptr %h, ptr %own, i64 8, i1 false)
  %y = load double, ptr %h!D"""


def asked(found: list[str]) -> list[Presence]:
    """What is asked of the block of a number, for each look-up."""
    calls = [line for line in found if "@__ez_foreign_number(" in line]
    return [Presence(int(line.split(", i64 ")[-2])) for line in calls]


def test_the_primal_sweep_makes_the_block_of_a_stored_number_and_the_reverse_sweep_uses_it() -> None:
    found = lines(STORED)
    assert runtime_calls(found) == ["foreign_expect", "foreign_number", "foreign_number"]
    assert asked(found) == [Presence.IF_THERE, Presence.MUST_BE_THERE]


def test_in_forward_mode_the_store_makes_the_block() -> None:
    assert asked(lines(STORED, Form.TANGENT, arguments="dup")) == [Presence.MAKE, Presence.IF_THERE]


def test_memory_that_is_only_read_makes_no_block() -> None:
    found = lines("%k = load double, ptr %h!D\n  %y = fmul double %k, %x")
    assert not {"foreign_expect", "foreign_number"} & {*runtime_calls(found)}


def test_nothing_is_recorded_where_the_run_is_not_asked() -> None:
    assert runtime_calls(lines(STORED, asks=False)) == []


def test_a_copy_expects_the_numbers_that_it_moves() -> None:
    assert "foreign_expect" in runtime_calls(lines(COPIED))
    assert "foreign_copy_numbers" in runtime_calls(lines(COPIED, Form.TANGENT, arguments="dup"))


def test_a_fill_clears_what_is_recorded() -> None:
    fill = "call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 8, i1 false)"
    body = f"store double %x, ptr %h!D\n  {fill}\n  %k = load double, ptr %h!D\n  %y = fadd double %k, %x"
    assert "foreign_clear" in runtime_calls(lines(body))
    assert "foreign_clear" not in runtime_calls(
        lines(body.replace("ptr %h", "ptr %own", 2).replace("store", "%own = alloca double\n  store", 1))
    )


def test_a_purpose_that_stores_a_derivative_asks_for_the_block_and_no_other_does() -> None:
    assert {purpose for purpose in Purpose if purpose.carries} == {
        purpose for purpose in Purpose if purpose.presence is not Presence.IF_THERE
    }
