"""Requests in LLVM's text form: what C cannot write, and what every language's compiler makes of the same call."""

from __future__ import annotations

import math

import pytest

from enzyme_cc.report.diagnostics import EnzymeError

from ..jit import Compiled

F = """
declare double @llvm.sin.f64(double)
define double @f(double %x, double %y) {
  %p = fmul double %x, %y
  %s = call double @llvm.sin.f64(double %p)
  ret double %s
}
"""


def test_markers_as_metadata_strings() -> None:
    compiled = Compiled(
        F
        + """
        declare double @__enzyme_autodiff(...)
        define double @g(double %x, double %y) {
          %d = call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_out", double %x,
                                                    metadata !"enzyme_const", double %y)
          ret double %d
        }
        """
    )
    assert compiled.call("g", 2.0, 3.0) == pytest.approx(3 * math.cos(6))


def test_markers_as_loaded_values_and_as_addresses() -> None:
    compiled = Compiled(
        F
        + """
        @enzyme_const = external global i32
        @enzyme_out = external global i32
        declare double @__enzyme_autodiff_typed(ptr, i32, double, ptr, double)
        define double @g(double %x, double %y) {
          %c = load i32, ptr @enzyme_const
          %d = call double @__enzyme_autodiff_typed(ptr @f, i32 %c, double %x, ptr @enzyme_out, double %y)
          ret double %d
        }
        """
    )
    assert compiled.call("g", 2.0, 3.0) == pytest.approx(2 * math.cos(6))


def test_a_mangled_marker_of_cpp() -> None:
    compiled = Compiled(
        F
        + """
        @_ZN3lib12enzyme_constE = external constant i32
        declare double @_Z17__enzyme_autodiffIdJPFdddEidddEET_DpT0_(...)
        define double @g(double %x, double %y) {
          %c = load i32, ptr @_ZN3lib12enzyme_constE
          %d = call double (...) @_Z17__enzyme_autodiffIdJPFdddEidddEET_DpT0_(ptr @f, double %x, i32 %c, double %y)
          ret double %d
        }
        """
    )
    assert compiled.call("g", 2.0, 3.0) == pytest.approx(3 * math.cos(6))


def test_unknown_metadata_marker_is_refused() -> None:
    with pytest.raises(EnzymeError, match="EZ0201"):
        Compiled(
            F
            + """
            declare double @__enzyme_autodiff(...)
            define double @g(double %x) {
              %d = call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_maybe", double %x, double %x)
              ret double %d
            }
            """
        )


def test_an_invoked_request() -> None:
    """C++ and Rust call through invoke; derivatives do not throw."""
    compiled = Compiled(
        F
        + """
        declare double @__enzyme_autodiff(...)
        declare i32 @__gxx_personality_v0(...)
        define double @g(double %x) personality ptr @__gxx_personality_v0 {
          %d = invoke double (ptr, ...) @__enzyme_autodiff(ptr @h, double %x) to label %ok unwind label %bad
        ok:
          ret double %d
        bad:
          %l = landingpad { ptr, i32 } cleanup
          ret double 0.0
        }
        define double @h(double %x) {
          %r = call double @f(double %x, double 3.0)
          ret double %r
        }
        """.replace("double (ptr, ...)", "double (...)")
    )
    assert compiled.call("g", 2.0) == pytest.approx(3 * math.cos(6))


def test_nothing_to_do_changes_nothing() -> None:
    from enzyme_cc.autodiff.differentiate import differentiate

    assert differentiate(F).text == F


def test_the_same_input_gives_the_same_bytes() -> None:
    from enzyme_cc.autodiff.differentiate import differentiate

    text = F + "declare double @__enzyme_autodiff(...)\ndefine double @g(double %x) {\n"
    text += '  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, metadata !"enzyme_const", double %x)\n'
    text += "  ret double %d\n}\n"
    assert differentiate(text).text == differentiate(text).text
