"""Members of containers in units without TBAA are declared where addresses tell them."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from enzyme_cc.analysis.type_analysis.declared.tbaa import Tbaa
from enzyme_cc.autodiff.emit.shadow_access.fitting import container_members
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.values import Instruction
from enzyme_cc.link.merged_module.libraries.container_members import with_container_members
from enzyme_cc.rules.containers import BLOCK_NAME, is_block

_TYPE = '%"struct.std::_Vector_base<double, std::allocator<double>>::_Vector_impl_data"'
TEXT = f"""
{_TYPE} = type {{ ptr, ptr, ptr }}
define ptr @f(ptr %0) {{
  %2 = getelementptr inbounds nuw {_TYPE}, ptr %0, i32 0, i32 1
  %3 = load ptr, ptr %2, align 8
  %4 = load ptr, ptr %0, align 8
  ret ptr %3
}}
!llvm.ident = !{{!0}}
!0 = !{{!"clang"}}
"""


def test_a_load_of_the_end_is_declared() -> None:
    module = Module.parse(str(llvm.parse_assembly(with_container_members(TEXT))))
    load = next(i for i in module.body("@f").instructions() if i.opcode == "load")
    tbaa = Tbaa(module)
    tag = tbaa.tag_of(load)
    assert tag is not None
    assert (tbaa.type(tag.base).name, tag.offset) == (BLOCK_NAME, 8)


def test_units_with_declarations_stay() -> None:
    text = TEXT.replace("ret ptr %3", "ret ptr %3, !tbaa !0")
    assert with_container_members(text) is text


def test_one_declared_member_tells_the_others() -> None:
    class Declared:
        """Declares the load of the end alone."""

        def member(self, access: Instruction) -> tuple[str, int] | None:
            return (BLOCK_NAME, 8) if isinstance(access.operands[0], Instruction) else None

    function = Module.parse(TEXT).body("@f")
    found = container_members(function, Declared())  # type: ignore[arg-type]
    assert sorted(found.values()) == [0, 8]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (BLOCK_NAME, True),
        ("_ZTSNSt3__16vectorIdNS_9allocatorIdEEEE", True),
        ("_ZTSSt4pairIddE", False),
        ("double", False),
    ],
)
def test_names_of_structs(name: str, expected: bool) -> None:
    assert is_block(name) is expected
