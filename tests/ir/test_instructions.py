"""Each instruction is printed as it was parsed, LLVM accepts it, and a wrong twin of it is refused by name."""
# ruff: noqa: E501 (an instruction is one line)

from __future__ import annotations

import pytest

from enzyme_cc.ir.text.lexer import IRSyntaxError
from tests.ir.llvm_check import as_llvm_prints, parsed, without_comments

#: what a row of the tables may mention
PRELUDE = """%pair = type { i32, double }
%"quoted name" = type { ptr, [2 x %pair] }

@global = external global [4 x double]
@table = external thread_local global i32
@"odd name" = external global i8

declare double @sin(double)

declare i32 @printf(ptr, ...)

declare void @nothing()

declare ptr @address(i64)

declare void @fill(ptr, ptr)

declare i64 @llvm.read_register.i64(metadata)

declare i1 @llvm.type.test(ptr, metadata)

declare ptr @llvm.preserve.array.access.index.p0.p0(ptr, i32, i32)

declare double @llvm.fabs.f64(double)

declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)

"""
PARAMETERS = (
    "i32 %i, i32 %j, i64 %l, i8 %b, i1 %c, double %d, double %e, float %s, half %h, x86_fp80 %x, fp128 %q, bfloat %t,"
    " ptr %p, ptr addrspace(1) %far, <2 x double> %v, <2 x double> %w, <2 x i64> %o, <2 x ptr> %ps, <4 x i32> %m,"
    " <vscale x 2 x double> %sv, %pair %pair, { double, double } %z, [2 x double] %arr"
)

VALID = """
%r = add i32 %i, %j
%r = add nuw nsw i32 %i, -1
%r = sub nsw i64 %l, 9223372036854775807
%r = mul <2 x i64> %o, splat (i64 3)
%r = udiv exact i32 %i, %j
%r = sdiv i32 %i, 3
%r = urem i32 %i, %j
%r = srem i8 %b, -128
%r = shl nuw i32 %i, 5
%r = lshr exact i32 %i, 5
%r = ashr i32 %i, %j
%r = and i1 %c, true
%r = or disjoint i32 %i, 1
%r = xor <4 x i32> %m, <i32 1, i32 -2, i32 poison, i32 undef>
%r = fadd double %d, %e
%r = fsub fast double %d, 1.000000e+00
%r = fmul reassoc nsz arcp contract <2 x double> %v, %w
%r = fdiv nnan ninf double %d, 0x7FF0000000000000
%r = frem afn float %s, 0x3FB99999A0000000
%r = fadd half %h, 0xH3C00
%r = fadd bfloat %t, 0xR3F80
%r = fadd x86_fp80 %x, 0xK3FFF8000000000000000
%r = fadd fp128 %q, 0xL00000000000000003FFF000000000000
%r = fneg nsz double %d
%r = fneg <2 x double> %v
%r = freeze i32 %i
%r = freeze %pair %pair
%r = trunc nuw nsw i64 %l to i32
%r = zext nneg i32 %i to i64
%r = sext i32 %i to i37
%r = fptrunc double %d to float
%r = fpext nnan float %s to double
%r = fptoui double %d to i64
%r = fptosi <2 x double> %v to <2 x i64>
%r = uitofp nneg i32 %i to double
%r = sitofp i32 %i to x86_fp80
%r = ptrtoint ptr %p to i64
%r = ptrtoaddr ptr %p to i64
%r = inttoptr i64 %l to ptr
%r = bitcast double %d to i64
%r = addrspacecast ptr addrspace(1) %far to ptr
%r = icmp eq i32 %i, 0
%r = icmp samesign ult i32 %i, %j
%r = icmp ne ptr %p, null
%r = icmp sgt <4 x i32> %m, zeroinitializer
%r = fcmp oeq double %d, 0.000000e+00
%r = fcmp fast uno double %d, %e
%r = fcmp true double %d, -1.500000e-300
%r = select i1 %c, double %d, double %e
%r = select nnan i1 %c, <2 x double> %v, <2 x double> splat (double 1.000000e+00)
%r = alloca i32, align 4
%r = alloca [10 x %pair], align 16
%r = alloca %"quoted name", i64 %l, align 8
%r = alloca inalloca i32, align 4
%r = load i32, ptr %p, align 4
%r = load volatile double, ptr %p, align 8
%r = load atomic i32, ptr %p seq_cst, align 4
%r = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
%r = load ptr addrspace(1), ptr addrspace(1) %far, align 8
%r = load %"quoted name", ptr @"odd name", align 8
%r = load double, ptr getelementptr inbounds nuw (i8, ptr @global, i64 8), align 8
store double %d, ptr %p, align 8
store volatile %pair %pair, ptr %p, align 8
store atomic i32 1, ptr %p release, align 4
store %pair { i32 1, double 2.000000e+00 }, ptr %p, align 8
store <{ i8, i32 }> <{ i8 1, i32 2 }>, ptr %p, align 1
store [3 x i8] c"a\\0A\\22", ptr %p, align 1
store { [2 x i32], ptr } { [2 x i32] [i32 1, i32 2], ptr @global }, ptr %p, align 8
store i64 ptrtoint (ptr @global to i64), ptr %p, align 8
store i64 sub (i64 ptrtoint (ptr @sin to i64), i64 ptrtoint (ptr @global to i64)), ptr %p, align 8
store ptr no_cfi @sin, ptr %p, align 8
store ptr dso_local_equivalent @sin, ptr %p, align 8
fence acq_rel
fence syncscope("singlethread") seq_cst
%r = cmpxchg ptr %p, i32 %i, i32 %j acq_rel monotonic, align 4
%r = cmpxchg weak volatile ptr %p, i64 %l, i64 0 seq_cst seq_cst, align 8
%r = atomicrmw add ptr %p, i32 1 monotonic, align 4
%r = atomicrmw volatile fadd ptr %p, double %d seq_cst, align 8
%r = atomicrmw uinc_wrap ptr %p, i32 7 syncscope("singlethread") acquire, align 4
%r = getelementptr i8, ptr %p, i64 %l
%r = getelementptr inbounds nuw %pair, ptr %p, i64 1, i32 1
%r = getelementptr nusw nuw [4 x double], ptr @global, i64 0, i64 %l
%r = getelementptr double, <2 x ptr> %ps, <2 x i64> %o
%r = getelementptr double, ptr %p, <2 x i64> %o
%r = getelementptr i8, ptr addrspace(1) %far, i32 4
%r = va_arg ptr %p, double
%r = extractelement <2 x double> %v, i32 %i
%r = extractelement <vscale x 2 x double> %sv, i64 0
%r = insertelement <2 x double> poison, double %d, i64 1
%r = shufflevector <2 x double> %v, <2 x double> %w, <4 x i32> <i32 0, i32 poison, i32 2, i32 3>
%r = shufflevector <4 x i32> %m, <4 x i32> poison, <4 x i32> zeroinitializer
%r = extractvalue %pair %pair, 1
%r = extractvalue %"quoted name" poison, 1, 0, 1
%r = extractvalue { double, double } %z, 0
%r = insertvalue [2 x double] %arr, double %d, 1
%r = insertvalue %pair undef, i32 3, 0
%r = call double @sin(double %d)
%r = call noundef double @sin(double noundef nofpclass(nan inf) %d) #0
%r = tail call fast fastcc noundef nofpclass(nan) double %p(double 1.000000e+00) #0
%r = notail call range(i32 0, 10) i32 %p(i32 noundef signext range(i32 -5, 9) %i, i8 zeroext 3)
%r = call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @global, double %d)
%r = call cc 10 %pair %p(%pair %pair)
%r = call align 8 dereferenceable_or_null(16) ptr @address(i64 noundef 8) #0
call void @nothing() #0 [ "deopt"(i32 %i, ptr %p), "clang.arc"() ]
call void @nothing() nounwind memory(argmem: readwrite, inaccessiblemem: read) "key"="va,l ue" "flag"
call void @fill(ptr sret(%pair) align 8 captures(none) initializes((0, 4), (8, 16)) %p, ptr byval(%"quoted name") align 8 %p)
call void @fill(ptr captures(ret: address, provenance) %p, ptr byref([4 x { i8, i64 }]) %p)
call void %p(ptr dead_on_unwind inreg writable %p, i64 alignstack(8) %l)
%r = call ptr @llvm.preserve.array.access.index.p0.p0(ptr elementtype(i32) %p, i32 0, i32 1)
%r = call i64 @llvm.read_register.i64(metadata !2)
%r = call i1 @llvm.type.test(ptr %p, metadata !"a string, !of metadata")
%r = call double @llvm.fabs.f64(double %d), !tbaa !1, !srcloc !0
%r = call double @llvm.experimental.constrained.fadd.f64(double %d, double %e, metadata !"round.dynamic", metadata !"fpexcept.strict")
call void asm sideeffect "addl $1, %eax # \\22quoted\\22, !0", "~{eax},~{dirflag}"() #0, !srcloc !0
%r = call i32 asm inteldialect unwind "mov $0, $1", "=r,r"(i32 %i)
call void inttoptr (i64 4096 to ptr)(i32 1)
"""

INVALID = {
    "%r = frobnicate i32 %i, %j": "unknown instruction 'frobnicate'",
    "%r = add i32 %i": "expected ','",
    "%r = add i32 %i, %nowhere": "undefined value %nowhere",
    "%r = add i32 %i, %l": "%l is of type i64, not i32",
    "%r = add i32 %i, 1.0": "expected a value of type i32",
    "%r = add i32 %i, %j, %j": "unexpected ','",
    "%r = add nonsense i32 %i, %j": "expected a type, found 'nonsense'",
    "%r = fadd double %d, 1": "expected a value of type double",
    "%i = add i32 %i, %j": "%i is defined twice",
    "%5 = add i32 %i, %j\n  %3 = add i32 %i, %j": "expected the number %6",
    "%r = icmp bigger i32 %i, %j": "'bigger' is not a predicate of icmp",
    "%r = fcmp eq double %d, %e": "'eq' is not a predicate of fcmp",
    "%r = zext i32 %i into i64": "expected 'to'",
    "%r = load i32, i64 %p, align 4": "%p is of type ptr, not i64",
    "%r = load i32, ptr %p sequential, align 4": "unexpected 'sequential'",
    "%r = load i32, ptr %p, align many": "expected a number",
    "%r = load %nothing, ptr %p": "expected a type",
    "%r = atomicrmw mul ptr %p, i32 1 monotonic, align 4": "'mul' is not an operation of atomicrmw",
    "%r = alloca i32, align 4, addrspace(x)": "address space",
    "%r = extractvalue %pair %pair, 7": "has no such element",
    "%r = extractelement i32 %i, i32 0": "expected a vector",
    "store [3 x i32] [i32 1, i32 2], ptr %p": "has 3 elements, not 2",
    "store <2 x i32> [i32 1, i32 2], ptr %p": "expected '<'",
    "%r = call double @sin(double %d": "expected ','",
    "%r = call double @sin(double %d) junk(": "unexpected '('",
    "%r = call double @sin(double align %d)": "expected a value of type double",
    "%r = call void @nothing()": "a result of type void has no name",
    "%r = call i64 @llvm.read_register.i64(metadata ptr %p)": "%p is of type ptr, not metadata",
    "call void @nothing() [ deopt(i32 1) ]": "tag of an operand bundle",
    "call void asm sideeffect \"nop\"()": "expected ','",
    "%r = phi i32 [ 1, %i ]": "%i is not a block",
    "br label %nowhere": "undefined value %nowhere",
    "%r = getelementptr i8, ptr %p, i64 %l inbounds": "unexpected 'inbounds'",
    "%r = trunc i64": "ends too early",
    "tail %r": "expected 'call'",
}  # fmt: skip


def in_function(line: str) -> str:
    """A module whose one function holds the instruction."""
    ending = '\nattributes #0 = { nounwind }\n\n!0 = !{}\n!1 = !{!2, !2, i64 0}\n!2 = !{!"int", !0}\n'
    return f"{PRELUDE}define void @f({PARAMETERS}) {{\n  {line}\n  ret void\n}}\n{ending}"


@pytest.mark.parametrize("line", VALID.strip().splitlines())
def test_is_printed_as_parsed(line: str) -> None:
    printed = str(parsed(in_function(line)))
    assert f"\n  {line}\n" in printed
    assert without_comments(printed) == without_comments(in_function(line))


@pytest.mark.parametrize("line", VALID.strip().splitlines())
def test_is_what_llvm_prints(line: str) -> None:
    printed = str(parsed(in_function(line)))
    assert as_llvm_prints(printed) == as_llvm_prints(in_function(line))


@pytest.mark.parametrize(("line", "reason"), INVALID.items())
def test_invalid_is_refused(line: str, reason: str) -> None:
    with pytest.raises(IRSyntaxError) as caught:
        parsed(in_function(line))
    assert reason in caught.value.reason


def test_the_error_shows_line_and_position() -> None:
    with pytest.raises(IRSyntaxError) as caught:
        parsed(in_function("%r = add i32 %i, 1.0, !tbaa !1"))
    assert caught.value.line == "  %r = add i32 %i, 1.0, !tbaa !1"
    assert caught.value.column == caught.value.line.index("1.0")
    assert str(caught.value).endswith(" " * 2 + " " * caught.value.column + "^")
