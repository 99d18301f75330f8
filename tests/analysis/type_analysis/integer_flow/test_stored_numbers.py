"""Which memory may hold numbers is followed once for each set of names, however many objects a pointer may lead to."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from enzyme_cc.analysis.type_analysis.integer_flow.stored_numbers import StoredNumbers
from tests.analysis.support import Analysed, compile_c
from tests.bench.library_shapes import program


def _steps(n: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Returns along how many edges n functions are followed that keep values in tables by the same two functions."""
    analysed, edges = Analysed(compile_c(program("tagged_unions", n)), ["@f"]), 0
    followed = StoredNumbers._next

    def counted(self: StoredNumbers, found: Hashable) -> list[Hashable]:
        nonlocal edges
        after = list(followed(self, found))
        edges += len(after)
        return after

    with monkeypatch.context() as patched:
        patched.setattr(StoredNumbers, "_next", counted)
        loads = (i for f in analysed.functions.values() for i in f.instructions() if i.opcode == "load")
        found = [analysed.types.number_flow.may_be_stored_number(load.operands[0]) for load in loads]
        assert any(found)
    return edges


def test_objects_that_all_pass_through_two_functions_are_not_followed_in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _steps(30, monkeypatch) < 3.3 * _steps(10, monkeypatch)
