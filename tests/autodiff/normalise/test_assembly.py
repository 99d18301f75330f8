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


def test_assembly_that_only_keeps_a_number_in_memory() -> None:
    """The second output is the place of an operand, the first one gets its operand."""
    becomes(
        simplify_library_calls,
        """
        define void @f(ptr %p, ptr %q, double %x) {
          call void asm sideeffect "", "=*r|m,0,~{memory}"(ptr elementtype(double) %p, double %x)
          call void asm sideeffect "", "=*m,*m"(ptr elementtype(double) %q, ptr elementtype(double) %q)
          ret void
        }
        """,
        """
          store double %x, ptr %p
          ret void
        """,
    )


def test_assembly_that_leaves_its_output_open() -> None:
    is_unchanged(
        simplify_library_calls,
        """
        define void @f(ptr %p, ptr %q) {
          call void asm sideeffect "", "=*m,*m"(ptr elementtype(double) %p, ptr elementtype(double) %q)
          ret void
        }
        """,
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


def test_arithmetic_in_place() -> None:
    """AT&T's order: the result is the last operand, and the first source."""
    v = "<2 x double>"
    becomes(
        simplify_library_calls,
        f"""
        define {v} @f({v} %a, {v} %b) {{
          %y = call {v} asm "maxpd $1, $0", "=x,x,0,~{{dirflag}},~{{fpsr}},~{{flags}}"({v} %a, {v} %b)
          ret {v} %y
        }}
        """,
        f"""
          %1 = fcmp ogt {v} %b, %a
          %2 = select <2 x i1> %1, {v} %b, {v} %a
          ret {v} %2
        """,
    )


def test_arithmetic_of_the_lowest_lane() -> None:
    v = "<2 x double>"
    becomes(
        simplify_library_calls,
        f"""
        define {v} @f({v} %a, {v} %b) {{
          %y = call {v} asm "vsubsd $1, $2, $0", "=x,x,x"({v} %a, {v} %b)
          ret {v} %y
        }}
        """,
        f"""
          %1 = extractelement {v} %b, i64 0
          %2 = extractelement {v} %a, i64 0
          %3 = fsub double %1, %2
          %4 = insertelement {v} %b, double %3, i64 0
          ret {v} %4
        """,
    )


def test_arithmetic_of_another_type() -> None:
    is_unchanged(
        simplify_library_calls,
        """
        define <4 x float> @f(<4 x float> %x) {
          %y = call <4 x float> asm "vaddpd $1, $1, $0", "=x,x"(<4 x float> %x)
          ret <4 x float> %y
        }
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
