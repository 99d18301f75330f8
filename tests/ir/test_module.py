"""The module: what is kept as it came, what is parsed on demand, what may be added."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from enzyme_cc.ir.constants import ConstantAggregate, ConstantExpr, ConstantInt, ConstantString, GlobalRef
from enzyme_cc.ir.module import Module, global_name
from enzyme_cc.ir.text.lexer import IRSyntaxError
from enzyme_cc.ir.text.printer import print_instruction
from enzyme_cc.ir.types import DOUBLE, I32, PTR, VOID, FunctionType, StructType
from enzyme_cc.ir.values import Argument, CallInfo, Function, Instruction
from enzyme_cc.link.inputs.module_text import quoted
from tests.ir.llvm_check import as_llvm_prints, parsed, without_comments

TEXT = """; ModuleID = 'x'
source_filename = "x.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

module asm ".globl there"

%"class.std::pair<int, double>" = type { i32, %inner }
%inner = type <{ double, i8 }>
%later = type opaque

$comdat = comdat any

@number = global i32 5, align 4
@text = private unnamed_addr constant [3 x i8] c"a\\00\\22", align 1, !dbg !0
@table = internal constant [2 x ptr] [ptr @f, ptr getelementptr inbounds nuw (i8, ptr @text, i64 1)], align 8
@elsewhere = external thread_local(initialexec) global ptr addrspace(1)
@0 = private constant %inner <{ double 1.000000e+00, i8 0 }>
@other = weak alias i32, ptr @number
@resolved = ifunc double (double), ptr @resolver

; Function Attrs: nounwind
define double @f(double %x) #0 !dbg !2 {
  %y = fadd double %x, 1.000000e+00, !dbg !5
  ret double %y
}

declare !dbg !0 ptr @resolver()

define linkonce_odr void @"name with { and ("() comdat($comdat) {
  ret void
}

attributes #0 = { nounwind "a"="b" }

!llvm.module.flags = !{!1}

!0 = !{}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 4, type: !4, spFlags: DISPFlagDefinition, unit: !7)
!3 = !DIFile(filename: "src/x.c", directory: "/home/me")
!4 = !DISubroutineType(types: !0)
!5 = !DILocation(line: 7, column: 11, scope: !6)
!6 = distinct !DILexicalBlock(scope: !2, line: 6, column: 3)
!7 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, emissionKind: FullDebug)
"""


@pytest.fixture
def module() -> Module:
    return Module.parse(TEXT)


def test_entities_are_printed_as_they_came(module: Module) -> None:
    assert without_comments(str(module)) == without_comments(TEXT)


def test_parsed_entities_are_printed_the_same() -> None:
    assert without_comments(str(parsed(TEXT))) == without_comments(TEXT)


def test_tables(module: Module) -> None:
    assert list(module.structs) == ['%"class.std::pair<int, double>"', "%inner", "%later"]
    assert list(module.globals) == ["@number", "@text", "@table", "@elsewhere", "@0", "@other", "@resolved"]
    assert list(module.functions) == ["@f", "@resolver", '@"name with { and ("']
    assert module.attributes == {"#0": 'nounwind "a"="b"'}
    assert module.named_metadata == {"!llvm.module.flags": "!{!1}"}
    assert module.metadata["!5"] == "!DILocation(line: 7, column: 11, scope: !6)"


def test_structs_refer_to_each_other(module: Module) -> None:
    outer, inner = list(module.structs.values())[:2]
    assert outer.body == StructType((I32, inner))
    assert inner.body is not None and inner.body.packed
    assert module.structs["%later"].body is None


def test_globals_have_type_initializer_and_linkage(module: Module) -> None:
    number, text, table = (module.globals[name] for name in ("@number", "@text", "@table"))
    assert number.initializer == ConstantInt(I32, 5) and not number.constant and not number.external
    assert isinstance(text.initializer, ConstantString) and text.constant and text.linkage == "private"
    assert isinstance(table.initializer, ConstantAggregate)
    first, second = table.initializer.elements
    assert first == GlobalRef.of("@f")
    assert isinstance(second, ConstantExpr) and second.flags == ("inbounds", "nuw")


def test_external_thread_local_and_alias(module: Module) -> None:
    elsewhere, other = module.globals["@elsewhere"], module.globals["@other"]
    assert elsewhere.external and elsewhere.thread_local and str(elsewhere.value_type) == "ptr addrspace(1)"
    assert other.alias and other.initializer == GlobalRef.of("@number")
    assert module.globals["@resolved"].initializer == GlobalRef.of("@resolver")


def test_a_body_is_parsed_on_demand(module: Module) -> None:
    function = module.functions["@f"]
    assert not function.blocks and not function.is_declaration
    assert module.body("@f") is function
    assert [x.opcode for x in function.instructions()] == ["fadd", "ret"]
    assert module.functions["@resolver"].is_declaration


def test_an_unparsed_body_follows_a_changed_header(module: Module) -> None:
    module.functions["@f"].prefix = "internal"
    assert "define internal double @f(double %x) #0 !dbg !2 {\n  %y = fadd" in str(module)


def test_a_function_that_fails_to_parse_stays_as_it_came() -> None:
    text = "define void @f() {\n  frobnicate\n}\n"
    module = Module.parse(text)
    with pytest.raises(IRSyntaxError, match="frobnicate"):
        module.body("@f")
    assert str(module).strip() == text.strip()


@pytest.mark.parametrize(
    "line", ["nonsense", "define void f() {", "%x = type i32", "%x = type { i32", "attributes #0 = nounwind", "!x"]
)
def test_invalid_top_level_line_is_refused(line: str) -> None:
    with pytest.raises(IRSyntaxError):
        Module.parse(f"{line}\n")


@pytest.mark.parametrize(
    "line",
    ["@g = global i32 1.5", "@g = global nothing 1", "@g = nonsense global i32 1", "declare i32 @g(", "declare @g()"],
)
def test_invalid_global_or_header_is_refused_at_its_first_access(line: str) -> None:
    module = Module.parse(f"{line}\n")
    with pytest.raises(IRSyntaxError):
        module.globals["@g"] if line[0] == "@" else module.functions["@g"]


def test_adding(module: Module) -> None:
    attributes = module.add_attributes("nounwind willreturn")
    node = module.add_metadata("distinct !{}")
    signature = FunctionType(DOUBLE, (DOUBLE, PTR))
    function = module.add_function(Function("@g", signature, [Argument(DOUBLE), Argument(PTR)]))
    sine = module.declare("@sin", FunctionType(DOUBLE, (DOUBLE,)), attributes)
    block = function.add_block()
    operands = [function.arguments[0], sine.ref]
    result = block.append(
        Instruction("call", DOUBLE, operands, CallInfo(sine.type, ("",)), metadata=(("!note", node),))
    )
    block.append(Instruction("ret", VOID, [result]))
    module.add_global("@shadow = internal global double 0.000000e+00")
    printed = str(module)
    assert "define double @g(double %0, ptr %1) {\n  %3 = call double @sin(double %0), !note !8\n" in printed
    assert "declare double @sin(double) #1\n" in printed
    assert "attributes #1 = { nounwind willreturn }\n" in printed
    assert module.add_attributes("nounwind willreturn") == "#1"
    assert module.declare("@sin", sine.type) is sine


def test_fresh_names(module: Module) -> None:
    assert module.fresh_name("@new") == "@new"
    assert module.fresh_name("f") == "@f.1"
    assert module.fresh_name("@number") == "@number.1"
    assert module.fresh_name("two words") == '@"two words"'


def test_source_locations(module: Module) -> None:
    function = module.body("@f")
    add, ret = function.instructions()
    assert module.source_location(add) == "src/x.c:7:11"
    assert module.source_location(ret) is None
    assert module.function_location(function) == "src/x.c:4"
    assert print_instruction(add) == "%y = fadd double %x, 1.000000e+00, !dbg !5"


def test_address_taken_blocks_get_names() -> None:
    text = """@labels = global [2 x ptr] [ptr blockaddress(@f, %2), ptr blockaddress(@f, %3)]

define i32 @f(ptr %0) {
  indirectbr ptr %0, [label %2, label %3]

2:
  br label %3

3:
  %4 = phi i32 [ 1, %1 ], [ 2, %2 ]
  ret i32 %4
}
"""
    module = parsed(text)
    function = module.body("@f")
    function.entry.insert(0, Instruction("add", I32, [ConstantInt(I32, 1), ConstantInt(I32, 2)]))
    printed = str(module)
    assert "[ptr blockaddress(@f, %blockaddress.2), ptr blockaddress(@f, %blockaddress.3)]" in printed
    assert "\nblockaddress.3:\n  %3 = phi i32 [ 1, %1 ], [ 2, %blockaddress.2 ]\n" in printed
    as_llvm_prints(printed)


def test_declared_vtables_are_constant() -> None:
    """Clang declares the vtables of type descriptions as mutable."""
    text = "@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]\n@other = external global [0 x ptr]\n"
    found = Module.parse(text).globals
    assert found["@_ZTVN10__cxxabiv120__si_class_type_infoE"].constant and not found["@other"].constant


@pytest.mark.parametrize("name", ["plain", "a$b", "a-b.c_d", "1st", "_ZN4core3fmt17h11c2E", "a b"])
def test_names_are_written_as_llvm_writes_them(name: str) -> None:
    text = str(llvm.parse_assembly(f'@"{name}" = global i32 0'))
    assert f"\n{global_name(name)} = " in text and global_name(name) == f"@{quoted(name)}"
