"""Inline assembly with a known meaning becomes instructions."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.library_forms import simplify_library_calls

from .rewriting import becomes, is_unchanged


def test_assembly_that_only_keeps_code_in_its_place() -> None:
    becomes(
        simplify_library_calls,
        """
        define double @f(double %x) {
          %y = call double asm sideeffect "", "=x,0"(double %x)
          ret double %y
        }
        """,
        "ret double %x",
    )


def test_multiplication_with_addition() -> None:
    """The order 231 multiplies the second and the third operand of the reversed list, and adds the first."""
    v = "<2 x double>"
    becomes(
        simplify_library_calls,
        f"""
        declare {v} @llvm.fma.v2f64({v}, {v}, {v})
        define {v} @f({v} %a, {v} %b, {v} %c) {{
          %y = call {v} asm "vfmadd231pd $2, $1, $0", "=x,x,x,0"({v} %a, {v} %b, {v} %c)
          ret {v} %y
        }}
        """,
        f"""
          %1 = call {v} @llvm.fma.v2f64({v} %a, {v} %b, {v} %c)
          ret {v} %1
        """,
    )


def test_unknown_assembly() -> None:
    is_unchanged(
        simplify_library_calls,
        """
        define double @f(double %x) {
          %y = call double asm "sqrtsd $1, $0", "=x,x"(double %x)
          ret double %y
        }
        """,
    )
