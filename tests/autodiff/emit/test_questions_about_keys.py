"""Questions whether a key of kept results is old, in a derivative."""

from __future__ import annotations

from tests.autodiff.sweeps import KEPT_RESULT, derivative


def questions(arguments: str, compared: str = "%x", has_result: int = 0) -> list[str]:
    """What precedes each question: whether the memory is constant."""
    lines = derivative(KEPT_RESULT.format(compared=compared, has_result=has_result), arguments)
    return [lines[at - 1] for at, line in enumerate(lines) if "@__ez_key_is_old(" in line]


def test_a_key_in_constant_memory_is_asked_about_as_constant() -> None:
    assert questions("out const") == ["%7 = or i64 0, 1"]


def test_a_key_with_a_shadow_of_its_own_is_not_asked_about() -> None:
    assert questions("out dup") == []


def test_a_key_beside_a_result_in_constant_memory_is_old_without_a_question() -> None:
    assert questions("out const", has_result=1) == []


def test_a_key_that_is_compared_with_constants_belongs_to_constant_results() -> None:
    assert questions("out const", compared="2.0") == []
