"""Formats of printf and scanf: which operand is what."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.constant_formats import constant_format, printed, scanned
from enzyme_cc.ir.constants import GlobalRef
from enzyme_cc.ir.module import Module


@pytest.mark.parametrize(
    "text, types",
    [
        ("%f", ["f"]),
        ("%lf %Lg", ["d", "e"]),
        ("%d%lf", ["", "d"]),
        ("%*lf %e", ["f"]),
        ("%%%s", [""]),
        ("%[a-f]%lf", ["", "d"]),
    ],
)
def test_scanf_writes_a_number_for_each_conversion_that_is_not_skipped(text: str, types: list[str]) -> None:
    assert list(scanned(text)) == types


@pytest.mark.parametrize(
    "text, letters",
    [("%g", ["g"]), ("%*.*f", ["*", "*", "f"]), ("%-8.3lf|%ld", ["f", "d"]), ("100%% %m %c", ["c"])],
)
def test_printf_takes_an_operand_for_each_conversion_width_and_precision(text: str, letters: list[str]) -> None:
    assert list(printed(text)) == letters


MODULE = """
@constant = private constant [5 x i8] c"%g\\0A\\22\\00"
@variable = global [3 x i8] c"%g\\00"
@number = constant double 1.0
"""


def test_a_format_is_known_if_it_is_a_constant_text() -> None:
    module = Module.parse(MODULE)
    assert constant_format(module, GlobalRef.of("@constant")) == '%g\n"\0'
    assert constant_format(module, GlobalRef.of("@variable")) is None
    assert constant_format(module, GlobalRef.of("@number")) is None
