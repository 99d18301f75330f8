"""Formats of numbers are named by types, or by bits of exponent and mantissa."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.variants.formats import Truncation, named_truncation, read_truncation
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.types import DOUBLE, FLOAT, FloatType
from enzyme_cc.report.diagnostics import EnzymeError

from .asking import operands

TO_FLOAT = Truncation(DOUBLE, 8, 23, FLOAT)
TO_BFLOAT = Truncation(DOUBLE, 8, 7, None)


@pytest.mark.parametrize(
    "text, found",
    [
        ("64to32", TO_FLOAT),
        ("64to8-7", TO_BFLOAT),
        ("11-52to8-7", TO_BFLOAT),
        ("32to16", Truncation(FLOAT, 5, 10, None)),
        ("80to64", Truncation(FloatType("x86_fp80"), 11, 52, DOUBLE)),
    ],
)
def test_an_option_names_a_type_and_a_format(text: str, found: Truncation) -> None:
    assert named_truncation(text) == found


@pytest.mark.parametrize("text", ["64", "32to64", "64to12-10", "32to8-24", "64to1-10", "80to80", "48to32", "64to8-7-1"])
def test_a_format_that_is_wider_or_unknown_is_refused(text: str) -> None:
    with pytest.raises(EnzymeError, match="EZ0111"):
        named_truncation(text)


CALL = "%r = call ptr (...) @__enzyme_truncate_op_func(ptr @f, i32 64, "
DECLARATION = "declare ptr @__enzyme_truncate_op_func(...)"


def test_a_request_gives_the_format_as_constants() -> None:
    assert read_truncation(operands(f"{CALL}i32 32)", DECLARATION)) == TO_FLOAT
    assert read_truncation(operands(f"{CALL}i32 8, i32 7)", DECLARATION)) == TO_BFLOAT


@pytest.mark.parametrize("rest", ["i32 %n)", "i32 80)", "i32 8, i32 7, i32 1)"])
def test_a_request_with_another_format_is_refused(rest: str) -> None:
    with pytest.raises(EnzymeError, match="EZ0203"):
        read_truncation(operands(CALL + rest, DECLARATION))


def rounded(truncation: Truncation) -> list[str]:
    """What rounds the argument %y."""
    found = operands(f"{CALL}i32 32)", DECLARATION)
    call = found.found.call
    truncation.round(found.module, Builder.before(call), found.found.caller.arguments[1])
    assert call.block is not None
    return [i.opcode if i.opcode != "call" else str(i.callee) for i in call.block.instructions[:-2]]


def test_the_processor_rounds_to_its_own_types_and_the_runtime_to_others() -> None:
    assert rounded(TO_FLOAT) == ["fptrunc", "fpext"]
    assert rounded(TO_BFLOAT) == ["@__ez_round_to"]
