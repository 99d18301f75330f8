"""The shadow of a constant: active globals have one, constant data has zeros, all else is its own."""

from __future__ import annotations

from enzyme_cc.autodiff.globals.shadows import Shadows, constant_shadow, with_shadow
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module

from ..rounds import complete, opened

PROGRAM = """
@state = internal global [2 x double] [double 1.0, double 2.0]
@other = internal global double 3.0
@cursor = internal global ptr @state
@table = internal constant [2 x double] [double 1.0, double 2.0]
define void @f() {
  ret void
}
"""


def shadow(name: str, *active: str, direction: int = 0, forward: bool = False) -> tuple[str, str]:
    """Returns the shadow of a global, and its definition."""
    round = complete(PROGRAM, active_globals=active)
    found = str(constant_shadow(Shadows(round, direction, forward), GlobalRef.of(name)))
    return found, round.output.globals[found].text


def test_the_shadow_of_an_active_global_begins_as_zero() -> None:
    name, text = shadow("@state", "@state")
    assert name == "@state_shadow"
    assert "internal global [2 x double] zeroinitializer" in text


def test_a_global_that_is_not_active_is_its_own_shadow() -> None:
    assert shadow("@other", "@state")[0] == "@other"


def test_pointers_in_a_shadow_point_at_shadows() -> None:
    assert "ptr @state_shadow" in shadow("@cursor", "@cursor", "@state")[1]


def test_constant_numbers_have_zero_tangents() -> None:
    name, text = shadow("@table", forward=True)
    assert name == "@table_zeros"
    assert "constant [2 x double] zeroinitializer" in text


def test_each_direction_and_each_mode_has_a_shadow() -> None:
    assert shadow("@state", "@state", direction=1)[0] == "@state_shadow1"
    assert shadow("@state", "@state", forward=True)[0] == "@state_shadow_forward"


def test_the_program_asks_for_a_derivative_by_naming_a_shadow() -> None:
    text = PROGRAM + "@other_shadow = global double 0.0\n@state_round1_shadow = global [2 x double] zeroinitializer\n"
    round = opened(text)
    assert round.declared == {"@other"}
    assert list(with_shadow(Module.parse(text), round.registered, 1)) == ["@state"]
