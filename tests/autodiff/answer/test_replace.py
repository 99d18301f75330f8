"""Each kind of request becomes calls of derivative functions."""

from __future__ import annotations

from .answered import SQUARE, answered, body


def test_autodiff_calls_the_combined_form_with_seed_one() -> None:
    text = """
    declare double @__enzyme_autodiff(...)
    define double @g(double %x) {
      %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
      ret double %d
    }
    """
    g = body(answered(SQUARE + text))
    assert "__enzyme" not in g
    assert "call { double } @__ez_gradient.f(double %x, double 0x3FF0000000000000)" in g


def test_fwddiff_calls_the_tangent_form_with_the_given_tangent() -> None:
    text = """
    declare double @__enzyme_fwddiff(...)
    define double @g(double %x, double %dx) {
      %d = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double %dx)
      ret double %d
    }
    """
    assert "@__ez_tangent.f(double %x, double %dx)" in body(answered(SQUARE + text))


def test_batch_calls_the_primal_for_each_element() -> None:
    text = """
    @enzyme_width = external global i32
    @enzyme_vector = external global i32
    declare { double, double } @__enzyme_batch(...)
    define double @g(double %x, double %y) {
      %w = load i32, ptr @enzyme_width
      %v = load i32, ptr @enzyme_vector
      %r = call { double, double } (...) @__enzyme_batch(ptr @f, i32 %w, i32 2, i32 %v, double %x, double %y)
      %d = extractvalue { double, double } %r, 1
      ret double %d
    }
    """
    assert body(answered(SQUARE + text)).count("call double @f(") == 2


def test_the_handlers_of_a_request_guard_the_derivative() -> None:
    text = """
    declare double @__enzyme_autodiff(...)
    declare i32 @__gxx_personality_v0(...)
    define double @g(double %x) personality ptr @__gxx_personality_v0 {
      %d = invoke double (...) @__enzyme_autodiff(ptr @f, double %x) to label %done unwind label %handler
    done:
      ret double %d
    handler:
      %e = landingpad { ptr, i32 } catch ptr null
      ret double 0.0
    }
    """
    assert "invoke { double } @__ez_gradient.f(" in body(answered(SQUARE + text))


def test_a_marker_that_loops_pass_on() -> None:
    text = """
    @enzyme_const = external global i32
    declare double @__enzyme_autodiff(...)
    define double @g(double %x, i32 %n) {
    entry:
      %first = load i32, ptr @enzyme_const
      br label %outer
    outer:
      %marker = phi i32 [ %first, %entry ], [ %inner.marker, %next ]
      br label %inner
    inner:
      %inner.marker = phi i32 [ %marker, %outer ], [ %again, %inner ]
      %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %inner.marker, double 2.0)
      %again = load i32, ptr @enzyme_const
      %ends = fcmp ogt double %d, 0.0
      br i1 %ends, label %next, label %inner
    next:
      %ends.outer = fcmp ogt double %d, 1.0
      br i1 %ends.outer, label %done, label %outer
    done:
      ret double %d
    }
    """
    product = SQUARE.replace("(double %x)", "(double %x, double %y)").replace("%x, %x", "%x, %y")
    assert "__enzyme" not in body(answered(product + text))
