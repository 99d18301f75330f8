"""A cycle that can be entered at two blocks gets one entry, which switches to them."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.reducible import make_reducible

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
          br i1 %c, label %2, label %4
        a:
          br i1 %d, label %5, label %done
        b:
          br label %3
        done:
          ret void
        0:
          %1 = phi i32 [ 0, %2 ], [ 0, %3 ], [ 1, %4 ], [ 1, %5 ]
          switch i32 %1, label %a [
            i32 1, label %b
          ]
        2:
          br label %0
        3:
          br label %0
        4:
          br label %0
        5:
          br label %0
        """,
    )


def test_phis_of_entries_move_to_the_new_block() -> None:
    becomes(
        lambda _, function: make_reducible(function),
        """
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
        """,
        """
        entry:
          br i1 %c, label %5, label %7
        a:
          br i1 %d, label %8, label %done
        b:
          br label %6
        done:
          %0 = phi i32 [ %2, %a ]
          ret i32 %0
        1:
          %2 = phi i32 [ 0, %5 ], [ %3, %6 ], [ poison, %7 ], [ poison, %8 ]
          %3 = phi i32 [ poison, %5 ], [ poison, %6 ], [ 1, %7 ], [ %2, %8 ]
          %4 = phi i32 [ 0, %5 ], [ 0, %6 ], [ 1, %7 ], [ 1, %8 ]
          switch i32 %4, label %a [
            i32 1, label %b
          ]
        5:
          br label %1
        6:
          br label %1
        7:
          br label %1
        8:
          br label %1
        """,
    )


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
