"""A cycle that can be entered at two blocks gets one entry, which switches to them."""

from __future__ import annotations

from textwrap import dedent

from enzyme_cc.autodiff.normalise.reducible import make_reducible
from enzyme_cc.ir.cfg import ControlFlow
from enzyme_cc.ir.module import Module

from .rewriting import becomes, is_unchanged


def test_two_entries() -> None:
    becomes(
        lambda _, function: make_reducible(function),
        """
        define void @f(i1 %c, i1 %d) {
        entry:
          br i1 %c, label %a, label %b
        a:
          br i1 %d, label %b, label %done
        b:
          br label %a
        done:
          ret void
        }
        """,
        """
        entry:
          %0 = alloca i32
          br i1 %c, label %3, label %5
        a:
          br i1 %d, label %6, label %done
        b:
          br label %4
        done:
          ret void
        1:
          %2 = load i32, ptr %0
          switch i32 %2, label %a [
            i32 1, label %b
          ]
        3:
          store i32 0, ptr %0
          br label %1
        4:
          store i32 0, ptr %0
          br label %1
        5:
          store i32 1, ptr %0
          br label %1
        6:
          store i32 1, ptr %0
          br label %1
        """,
    )


def test_values_on_the_cycle_go_through_memory() -> None:
    module = Module.parse(
        dedent("""
        define i32 @f(i1 %c, i1 %d) {
        entry:
          br i1 %c, label %a, label %b
        a:
          %x = phi i32 [ 0, %entry ], [ %y, %b ]
          br i1 %d, label %b, label %done
        b:
          %y = phi i32 [ 1, %entry ], [ %x, %a ]
          br label %a
        done:
          ret i32 %x
        }
    """)
    )
    function = module.body("@f")
    make_reducible(function)
    assert not [i for i in function.instructions() if i.opcode == "phi"]
    assert len(ControlFlow(function).loops) == 1


def test_a_loop_is_reducible() -> None:
    is_unchanged(
        lambda _, function: make_reducible(function),
        """
        define void @f(i1 %c) {
          br label %loop
        loop:
          br i1 %c, label %loop, label %done
        done:
          ret void
        }
        """,
    )
