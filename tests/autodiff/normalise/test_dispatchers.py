"""A call through a pointer compares the pointer with the functions of its type whose address is taken."""

from __future__ import annotations

from textwrap import dedent

from enzyme_cc.autodiff.normalise.dispatchers import AddressTaken, dispatch_calls
from enzyme_cc.ir.module import Module

from .rewriting import body, lines

PROGRAM = dedent("""
    define double @f(ptr %function, double %x) {
      %y = call double %function(double %x)
      ret double %y
    }
    define double @square(double %x) {
      %y = fmul double %x, %x
      ret double %y
    }
    define double @unused(double %x) {
      ret double %x
    }
    define i32 @of_another_type(i32 %x) {
      ret i32 %x
    }
    @table = constant [2 x ptr] [ptr @square, ptr @of_another_type]
""")


def test_dispatcher() -> None:
    module = Module.parse(PROGRAM)
    dispatch_calls(module, AddressTaken(PROGRAM, module), module.body("@f"))
    assert body(str(module)) == lines("""
        %1 = call double @__ez_dispatch(ptr %function, double %x)
        ret double %1
    """)
    assert body(str(module), "@__ez_dispatch") == lines("""
          %3 = icmp eq ptr %0, @square
          br i1 %3, label %4, label %6
        4:
          %5 = call double @square(double %1)
          ret double %5
        6:
          %7 = call double %0(double %1)
          ret double %7
    """)


def test_candidates() -> None:
    module = Module.parse(PROGRAM)
    targets = AddressTaken(PROGRAM, module)
    assert targets.of_type(module.functions["@square"].type) == ["@square"]
