"""A function with variable arguments gets a fixed parameter: the address of memory that holds them."""

from __future__ import annotations

from textwrap import dedent

from enzyme_cc.autodiff.normalise.variadic import Variadics
from enzyme_cc.ir.module import Module

from .rewriting import body, lines

PROGRAM = dedent("""
    declare void @llvm.va_start.p0(ptr)
    declare void @llvm.va_end.p0(ptr)
    define double @first(i32 %count, ...) {
      %list = alloca [24 x i8], align 16
      call void @llvm.va_start.p0(ptr %list)
      %x = va_arg ptr %list, double
      call void @llvm.va_end.p0(ptr %list)
      ret double %x
    }
    define double @f(double %x) {
      %y = call double (i32, ...) @first(i32 2, double %x, i32 7)
      ret double %y
    }
""")


def test_caller_and_callee() -> None:
    """The list says that all registers are used (48 and 176 bytes), so that va_arg reads the caller's memory."""
    module = Module.parse(PROGRAM)
    variadics = Variadics(PROGRAM, module)
    variadics.fix(module.body("@f"))
    assert body(str(module)) == lines("""
        %1 = alloca [16 x i8], align 16
        store double %x, ptr %1, align 8
        %2 = getelementptr inbounds i8, ptr %1, i64 8
        store i32 7, ptr %2, align 8
        %3 = call double @first.fixed(i32 2, ptr %1)
        ret double %3
    """)
    assert [function.name for function in variadics.made()] == ["@first.fixed"]
    assert body(str(module), "@first.fixed") == lines("""
        %list = alloca [24 x i8], align 16
        store i32 48, ptr %list, align 4
        %2 = getelementptr inbounds i8, ptr %list, i64 4
        store i32 176, ptr %2, align 4
        %3 = getelementptr inbounds i8, ptr %list, i64 8
        store ptr %0, ptr %3, align 8
        %4 = getelementptr inbounds i8, ptr %list, i64 16
        store ptr null, ptr %4, align 8
        %x = va_arg ptr %list, double
        ret double %x
    """)
