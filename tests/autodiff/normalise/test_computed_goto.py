"""Jumps to computed addresses compare these with the addresses of the primal's blocks."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.computed_goto import compare_addresses

from .rewriting import becomes


def test_jump_through_a_table() -> None:
    becomes(
        lambda _, function: compare_addresses(function),
        """
        @table = constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
        define double @f(ptr %place, double %x) {
          indirectbr ptr %place, [label %one, label %two]
        one:
          ret double %x
        two:
          ret double 2.0
        }
        """,
        """
          %1 = icmp eq ptr %place, blockaddress(@f, %one)
          br i1 %1, label %one, label %2
        one:
          ret double %x
        two:
          ret double 2.0
        2:
          br label %two
        """,
    )
