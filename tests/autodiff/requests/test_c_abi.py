"""How C returns structs."""

from __future__ import annotations

import pytest

from enzyme_cc.autodiff.requests.c_abi import places, returned
from enzyme_cc.ir.types import DOUBLE, FLOAT, I32, I64, PTR, X86_FP80, StructType, Type, VectorType


@pytest.mark.parametrize("fields, type_", [
    ([DOUBLE], DOUBLE),
    ([DOUBLE, DOUBLE], StructType((DOUBLE, DOUBLE))),
    ([PTR, DOUBLE], StructType((PTR, DOUBLE))),
    ([FLOAT, FLOAT, FLOAT], StructType((VectorType(FLOAT, 2), FLOAT))),
    ([FLOAT, I32], StructType((I64,))),
    ([DOUBLE, DOUBLE, DOUBLE], None),
    ([X86_FP80, DOUBLE], None),
])  # fmt: skip
def test_type_in_which_clang_returns_a_struct(fields: list[Type], type_: Type | None) -> None:
    """None: through memory."""
    assert returned(fields, "x86_64") == type_


@pytest.mark.parametrize("fields, type_", [
    ([DOUBLE], DOUBLE),
    ([DOUBLE, DOUBLE], StructType((DOUBLE, DOUBLE))),
    ([FLOAT, FLOAT, FLOAT], StructType((FLOAT, FLOAT, FLOAT))),
    ([DOUBLE] * 5, None),
])  # fmt: skip
def test_type_in_which_clang_returns_a_struct_on_aarch64(fields: list[Type], type_: Type | None) -> None:
    """None: through memory."""
    assert returned(fields, "aarch64") == type_


def test_places_of_fields() -> None:
    assert places([FLOAT, DOUBLE, I32]) == ([0, 8, 16], 24)
