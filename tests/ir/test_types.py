"""Sizes, alignments and field offsets are those of LLVM's x86-64 data layout."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import StructType, alignment, alloc_size, field_offsets

LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

SCALARS = st.sampled_from(
    ["i1", "i8", "i16", "i24", "i32", "i37", "i64", "i65", "i128", "i200", "half", "bfloat", "float", "double",
     "x86_fp80", "fp128", "ptr", "ptr addrspace(1)"]
)  # fmt: skip
VECTORS = st.builds("<{} x {}>".format, st.integers(1, 9), SCALARS)


def _compound(types: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    fields = st.lists(types, max_size=5).map(", ".join)
    return st.one_of(
        st.builds("[{} x {}]".format, st.integers(0, 5), types),
        fields.map(lambda text: f"{{ {text} }}" if text else "{}"),
        fields.map(lambda text: f"<{{ {text} }}>" if text else "<{}>"),
    )


TYPES = st.recursive(st.one_of(SCALARS, VECTORS), _compound, max_leaves=8)


def check(text: str) -> None:
    module_text = f'target datalayout = "{LAYOUT}"\n@g = external global {text}\n'
    ours = Module.parse(module_text).globals["@g"].value_type
    assert str(ours) == text
    module = llvm.parse_assembly(module_text, llvm.create_context())
    theirs = module.get_global_variable("g").global_value_type
    layout = llvm.create_target_data(LAYOUT)
    assert (alloc_size(ours), alignment(ours)) == (layout.get_abi_size(theirs), layout.get_abi_alignment(theirs))
    if isinstance(ours, StructType):
        expected = [layout.get_element_offset(theirs, i) for i in range(len(ours.fields))]
        assert list(field_offsets(ours)) == expected


@settings(max_examples=300, deadline=None)
@given(TYPES)
def test_layout_is_llvms(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", ["{ i8, x86_fp80 }", "<3 x double>", "<3 x i1>", "[3 x { i8, i64 }]", "<{ i8, i64 }>"])
def test_layout_examples(text: str) -> None:
    check(text)
