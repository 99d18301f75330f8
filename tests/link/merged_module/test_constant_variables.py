"""Which variables of a merged module never change is the same, whether LLVM prints each or the module."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from enzyme_cc.link.merged_module.merge import constant_variables


@pytest.mark.parametrize("count", [4, 60])
def test_constants_of_few_and_of_many_variables(count: int) -> None:
    kinds = ("constant i32 1", "global i32 1", "external constant [4 x i8]", 'global [10 x i8] c" constant "')
    lines = [f'@"v {k}" = {kinds[k % 4]}' for k in range(count)]
    aliases = ['@"v 0.alias" = alias i32, ptr @"v 0"']
    function = 'define ptr @f() {\n  ret ptr @"v 1"\n}\n'
    module = llvm.parse_assembly("\n".join([*lines, *aliases, function]), llvm.create_context())
    asked = {f"v {k}" for k in range(1, count)}
    assert constant_variables(module, asked) == {f"v {k}" for k in range(1, count) if k % 4 in (0, 2)}
