"""Definitions in COMDAT groups of which an earlier unit has dropped its own."""

from __future__ import annotations

import llvmlite.binding as llvm

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.merged_module.merge import _without_unused_groups, link_in

_UNIT = """
$table = comdat any
@table = linkonce_odr constant i32 3, comdat
define i32 @{name}() {{
{body}
}}
"""


def test_a_group_that_one_unit_dropped_is_that_of_the_next() -> None:
    """LLVM's linker made a declaration of the table: the first module still had the name of its group."""
    context = llvm.create_context()
    first = llvm_passes.parse(_UNIT.format(name="first", body="  ret i32 1"), context)
    second = llvm_passes.parse(_UNIT.format(name="second", body="  %v = load i32, ptr @table\n  ret i32 %v"), context)
    llvm_passes.run_passes(first, "globaldce")
    merged = _without_unused_groups(first, context)
    link_in(merged, second, "second.o")
    table = merged.get_global_variable("table")
    assert not table.is_declaration and "i32 3" in str(table)
