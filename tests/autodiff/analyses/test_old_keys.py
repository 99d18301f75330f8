"""Questions whether the key of a kept result is old."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.analyses.old_keys import asks_varied, blocks_never_reached, is_only_compared, is_surely_old
from enzyme_cc.ir.values import Instruction

from ..sweeps import KEPT_RESULT, analysed


def asked(compared: str = "%x", has_result: int = 1, arguments: str = "out const") -> tuple[bool, bool, list[str]]:
    """Whether a number with a derivative is compared, whether the key is surely old, and the blocks never reached."""
    analyses = analysed(KEPT_RESULT.format(compared=compared, has_result=has_result), arguments)
    question = next(i for i in analyses.function.instructions() if i.name == "q")
    blocks = blocks_never_reached(analyses.activity, analyses.flow)
    return (
        asks_varied(analyses.activity, question),
        is_surely_old(analyses.activity, question),
        [b.name for b in blocks],
    )


def test_a_key_without_a_shadow_is_old_so_that_its_result_is_never_used() -> None:
    assert asked() == (True, True, ["kept"])


@pytest.mark.parametrize("compared, has_result, varies", [("2.0", 1, False), ("%x", 0, True)])
def test_a_key_of_constants_or_without_a_result_is_not(compared: str, has_result: int, varies: bool) -> None:
    assert asked(compared, has_result) == (varies, False, [])


def test_a_key_with_a_shadow_tells_itself_whether_it_is_old() -> None:
    assert asked(arguments="out dup")[1:] == (False, [])


def values(line: str) -> Instruction:
    text = f"define i1 @f(double %x, ptr %p) {{\n  %v = load double, ptr %p\n  {line}\n}}\n"
    return next(iter(analysed(text, "const const").function.instructions()))


def test_a_number_that_only_goes_to_comparisons_has_no_derivative() -> None:
    assert is_only_compared(values("%w = fpext double %v to fp128\n  %c = fcmp oeq double %v, %x\n  ret i1 %c"))
    assert not is_only_compared(values("%w = fmul double %v, %x\n  %c = fcmp oeq double %w, %x\n  ret i1 %c"))
