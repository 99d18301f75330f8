"""Phis of bits that are cast to numbers become phis of numbers."""

from __future__ import annotations

from enzyme_cc.autodiff.normalise.bits.cast_phis import cast_before_phis

from ..rewriting import becomes, is_unchanged

PHI = """
define double @f(double %x, i64 %u, i1 %c) {{
entry:
  %bits = bitcast double {number} to i64
  br i1 %c, label %a, label %end
a:
  %sum = add i64 %u, %u
  br label %end
end:
  %word = phi i64 [ %bits, %entry ], [ %sum, %a ]
  %made = bitcast i64 %word to {made}
  ret double %x
}}
"""


def test_each_predecessor_has_its_cast() -> None:
    becomes(
        lambda _, function: cast_before_phis(function),
        PHI.format(number="%x", made="double").replace("ret double %x", "ret double %made"),
        """
        entry:
          %bits = bitcast double %x to i64
          br i1 %c, label %a, label %end
        a:
          %sum = add i64 %u, %u
          %0 = bitcast i64 %sum to double
          br label %end
        end:
          %1 = phi double [ %x, %entry ], [ %0, %a ]
          ret double %1
        """,
    )


def test_a_phi_that_is_no_number_stays() -> None:
    text = PHI.format(number="%x", made="<2 x i32>")
    is_unchanged(lambda _, function: cast_before_phis(function), text)
