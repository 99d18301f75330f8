"""Names and numbers in printed functions, and debug records that follow them."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.constants import ConstantInt
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.text.printer import print_function
from enzyme_cc.ir.types import I32
from enzyme_cc.ir.values import Function, Instruction
from tests.ir.llvm_check import as_llvm_prints, parsed

DEBUG = """define i32 @f(i32 %0, ptr %"odd name") !dbg !4 {
    #dbg_value(i32 %0, !8, !DIExpression(), !9)
  %2 = add i32 %0, 1, !dbg !9
    #dbg_value(i32 %2, !8, !DIExpression(), !9)
    #dbg_value(!DIArgList(i32 %0, i32 %2), !8, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !9)
    #dbg_declare(ptr %"odd name", !8, !DIExpression(), !9)
    #dbg_label(!10, !9)
  %3 = mul i32 %2, %2, !dbg !9
    #dbg_value(%pair poison, !8, !DIExpression(), !9)
  ret i32 %3, !dbg !9
}"""
MODULE = f"""%pair = type {{ i32, i32 }}

{DEBUG}

!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "x.c", directory: "/")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{{null}}
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 2, type: !7)
!9 = !DILocation(line: 3, column: 1, scope: !4)
!10 = !DILabel(scope: !4, name: "here", file: !1, line: 4)
"""


@pytest.fixture
def module() -> Module:
    return parsed(MODULE)


def one() -> ConstantInt:
    return ConstantInt(I32, 1)


def test_debug_records_are_kept(module: Module) -> None:
    assert print_function(module.body("@f")) == DEBUG
    assert as_llvm_prints(str(module)) == as_llvm_prints(MODULE)


def test_debug_records_follow_new_numbers(module: Module) -> None:
    function = module.body("@f")
    function.entry.insert(0, Instruction("add", I32, [one(), one()]))
    printed = print_function(function)
    assert "%3 = add i32 %0, 1" in printed
    assert "#dbg_value(i32 %3, !8" in printed
    assert "!DIArgList(i32 %0, i32 %3)" in printed
    as_llvm_prints(str(module))


def test_debug_records_of_an_erased_value_become_poison(module: Module) -> None:
    function = module.body("@f")
    gone = function.entry.instructions[0]
    gone.replace_uses(one())
    gone.erase()
    printed = print_function(function)
    assert "%2 = mul i32 1, 1" in printed
    assert "#dbg_value(i32 poison, !8" in printed
    as_llvm_prints(str(module))


def _names(names: list[str]) -> list[str]:
    """How results of these names are printed in a function."""
    function: Function = Module.parse("define void @f() {\n  ret void\n}\n").functions["@f"]
    function.unparsed = None
    block = function.add_block()
    for name in names:
        block.append(Instruction("add", I32, [one(), one()], name=name))
    return [line.split(" = ")[0].strip() for line in print_function(function).splitlines() if " = " in line]


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        (["", ""], ["%1", "%2"]),
        (["12", "12"], ["%1", "%2"]),
        (["x", "x", "x"], ["%x", "%x.1", "%x.2"]),
        (["x", "x.1", "x"], ["%x", "%x.1", "%x.2"]),
        (["two words", '"two words"'], ['%"two words"', '%"two words.1"']),
        (["1st", "a$.-_"], ['%"1st"', "%a$.-_"]),
        (['a"b\\é'], ['%"a\\22b\\5C\\C3\\A9"']),
    ],
)
def test_names(given: list[str], printed: list[str]) -> None:
    assert _names(given) == printed
