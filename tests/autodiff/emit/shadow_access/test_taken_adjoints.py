"""The reverse sweep takes the adjoint of a stored number out of shadow memory, and leaves zero."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ResultActivity
from tests.autodiff.sweeps import derivative

STORE = """
define void @f({type} %x, ptr %p) {{
  store {type} %x, ptr %p, align 16
  ret void
}}
"""


def stored(type_: str, activity: str = "out") -> list[str]:
    return derivative(STORE.format(type=type_), f"{activity} dup", result=ResultActivity.NONE)


def test_each_lane_of_a_vector_is_taken() -> None:
    found = stored("<2 x double>")
    assert sum("load <2 x double>, ptr %2" in line for line in found) == 1
    assert any(line.startswith("store <2 x double> zeroinitializer, ptr %2") for line in found)


def test_each_number_of_a_struct_is_taken_at_its_place() -> None:
    found = stored("{ double, float }")
    assert any(line.startswith("store float 0x0000000000000000") for line in found)
    assert any("i64 8" in line and "getelementptr" in line for line in found)


def test_a_constant_leaves_zero_too() -> None:
    assert any(line.startswith("store double 0x0000000000000000, ptr %2") for line in stored("double", "const"))
