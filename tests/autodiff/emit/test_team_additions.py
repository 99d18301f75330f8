"""Additions of threads to shadows: the record of a copy, and bounds that are computed when a derivative begins."""

from __future__ import annotations

from enzyme_cc.autodiff.emit.shadow_access.extents_of_places import all_of, greatest, least
from enzyme_cc.autodiff.emit.shadow_access.team_additions import COPY
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.folding import int_constant
from enzyme_cc.ir.types import I1, I64, VOID, FunctionType, alloc_size
from enzyme_cc.ir.values import Argument, Function


def _builder() -> tuple[Builder, list[Argument]]:
    arguments = [Argument(I64, "a", "", 0), Argument(I64, "b", "", 1)]
    function = Function("@f", FunctionType(VOID, (I64, I64)), arguments)
    return Builder(function.add_block()), arguments


def test_a_copy_has_the_size_of_the_record_of_the_runtime() -> None:
    assert alloc_size(COPY) == 56  # struct copy in toolchain/runtime/teams_copies.c


def test_limits_call_once_for_each_further_number() -> None:
    b, (first, second) = _builder()
    assert least(b, first, first) is first
    assert str(greatest(b, first, second).type) == "i64"
    assert len(b.block.instructions) == 1


def test_no_condition_holds() -> None:
    b, _ = _builder()
    assert all_of(b, []) == int_constant(1, I1)
