"""Behind which parameters a routine of a library writes."""

from __future__ import annotations

from enzyme_cc.autodiff.analyses.routines import written_parameters

from ..rounds import prepared

TEXT = """
declare void @unknown(ptr)
define void @f(ptr %x, ptr %y) {{
  %v = load double, ptr %x
  {body}
  ret void
}}
"""


def written(body: str) -> set[int]:
    return set(written_parameters(prepared(TEXT.format(body=body)), "@f"))


def test_a_store_writes_behind_its_parameter_and_a_load_does_not() -> None:
    assert written("store double %v, ptr %y") == {1}
    assert written("") == set()


def test_a_call_of_what_is_unknown_may_write_behind_each() -> None:
    assert written("call void @unknown(ptr %y)") == {0, 1}
