"""A call through a pointer compares the pointer with the functions of its type whose address is taken."""

from __future__ import annotations

from textwrap import dedent

from enzyme_cc.analysis.pointed_functions import PointedFunctions
from enzyme_cc.autodiff.normalise.indirect_calls import Dispatchers, dispatch_calls
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
    dispatch_calls(module, Dispatchers(PROGRAM, module), module.body("@f"))
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


COMPARED = dedent("""
    define double @f(ptr %function, double %x) {
      %is_cube = icmp ne ptr @cube, %function
      br i1 %is_cube, label %others, label %cube
    cube:
      %y = call double %function(double %x)
      ret double %y
    others:
      %is_square = icmp eq ptr %function, @square
      br i1 %is_square, label %square, label %rest
    square:
      ret double 1.0
    rest:
      %z = call double %function(double %x)
      ret double %z
    }
    define double @square(double %x) {
      %y = fmul double %x, %x
      ret double %y
    }
    define double @cube(double %x) {
      %y = call double @square(double %x)
      %z = fmul double %x, %y
      ret double %z
    }
    define double @same(double %x) {
      ret double %x
    }
    @table = constant [3 x ptr] [ptr @square, ptr @cube, ptr @same]
""")


def test_functions_that_the_pointer_is_not_are_no_candidates() -> None:
    _, out = dispatched(COMPARED)
    assert called(body(out, "@__ez_dispatch")) == ["@cube", "@square", "@same", "%0"]
    assert called(body(out, "@__ez_dispatch.1")) == ["@same", "%0"]


def called(body: list[str]) -> list[str]:
    return [line.split("double ")[1].split("(")[0] for line in body if " call " in line]


def test_candidates() -> None:
    module = Module.parse(PROGRAM)
    pointed = PointedFunctions.read(PROGRAM, module)
    assert pointed.of_type(module.functions["@square"].type) == ["@square"]


def many(start: int) -> str:
    """Returns nine functions of one type, a table that takes their addresses, and a caller."""
    names = [f"@f{k}" for k in range(start, start + 9)]
    bodies = "".join(f"define double {name}(double %x) {{\n  ret double %x\n}}\n" for name in names)
    table = ", ".join(f"ptr {name}" for name in names)
    caller = "define double @f(ptr %p, double %x) {\n  %y = call double %p(double %x)\n  ret double %y\n}\n"
    return f"{bodies}{caller}@taken = constant [9 x ptr] [{table}]\n"


def dispatched(text: str) -> tuple[Dispatchers, str]:
    module = Module.parse(text)
    targets = Dispatchers(text, module)
    dispatch_calls(module, targets, module.body("@f"))
    return targets, str(module)


def test_many_candidates_are_found_by_number() -> None:
    targets, out = dispatched(many(0))
    assert "call i32 @__ez_function_number(ptr %0)" in out
    assert "icmp eq ptr" not in out
    rows = ", ".join(f"ptr @f{k}" for k in range(9))
    assert targets.table() == f"@__ez_functions = constant [10 x ptr] [{rows}, ptr null]"


def test_few_candidates_need_no_table() -> None:
    assert dispatched(PROGRAM)[0].table() is None


def test_numbers_of_an_earlier_round_stay() -> None:
    earlier = "\n@__ez_functions = constant [3 x ptr] [ptr @f3, ptr @f1, ptr null]\n"
    table = dispatched(many(0) + earlier)[0].table()
    assert table is not None and "[ptr @f3, ptr @f1, ptr @f0, ptr @f2, ptr @f4," in table


VIRTUAL = dedent("""
    @_ZTV1A = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @first, ptr @second] }
    define double @first(ptr %this) {
      ret double 1.0
    }
    define double @second(ptr %this) {
      ret double 2.0
    }
    define double @f(ptr %object) {
      %table = load ptr, ptr %object
      %place = getelementptr inbounds ptr, ptr %table, i64 1
      %function = load ptr, ptr %place
      %y = call double %function(ptr %object)
      ret double %y
    }
""")


def test_a_virtual_call_reaches_its_slot_only() -> None:
    out = dispatched(VIRTUAL)[1]
    assert "call double @second(" in out
    assert "call double @first(" not in out
