"""Constant arguments in which differentiated code keeps numbers."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.activity.activity import ArgumentActivity
from enzyme_cc.autodiff.analyses.work_space import work_space
from enzyme_cc.autodiff.engine import explore

from ..rounds import DOUBLE, POINTER, prepared, signature

CONST, OUT = ArgumentActivity.CONST, ArgumentActivity.OUT
TEXT = """
@place = global double 0.0
define internal void @put(ptr %to, double %x) noinline {{
  store double %x, ptr %to{double}
  ret void
}}
define double @f(double %x, ptr {of_s} %s, ptr {of_t} %t) {{
  {code}
  ret double %y
}}
"""


def found(code: str, *, may_be_same: bool = False, of_s: str = "", of_t: str = "") -> set[int]:
    code = code.replace("!D", DOUBLE).replace("!P", POINTER)
    root = signature("@f", OUT, CONST, CONST)
    round = explore(prepared(TEXT.format(code=code, double=DOUBLE, of_s=of_s, of_t=of_t)), [root])
    return set(work_space(round, [root], True, lambda root, a, b: may_be_same).get(root, ()))


STORE, LOAD = "store double %x, ptr %s!D", "%y = load double, ptr %s!D"


@pytest.mark.parametrize("store", [STORE, "call void @put(ptr %s, double %x)"])
def test_an_argument_in_which_a_number_is_kept_and_read_is_work_space(store: str) -> None:
    assert found(f"{store}\n  {LOAD}") == {1}


def test_an_argument_that_is_only_written_or_only_read_stays_constant() -> None:
    assert not found(f"{STORE}\n  %y = fadd double %x, 1.0")
    assert not found(LOAD)


def test_a_constant_that_is_stored_makes_no_work_space() -> None:
    assert not found(f"store double 1.0, ptr %s!D\n  {LOAD}")


def test_a_number_that_is_read_from_a_global_may_be_that_of_the_argument() -> None:
    assert found(f"{STORE}\n  %y = load double, ptr @place!D") == {1}


def test_two_arguments_are_work_space_if_they_may_be_the_same_memory() -> None:
    code = f"{STORE}\n  %y = load double, ptr %t!D"
    assert found(code, may_be_same=True) == {1, 2}
    assert not found(code)
    assert not found(code, may_be_same=True, of_s="noalias")


def test_memory_behind_two_arguments_may_be_the_same() -> None:
    behind = (
        "%a = load ptr, ptr %s!P\n  store double %x, ptr %a!D\n  %b = load ptr, ptr %t!P\n  %y = load double, ptr %b!D"
    )
    assert found(behind) == {1, 2}
