"""Derivatives that the program registers: they are called in the place of derivatives made here.

Each returns ten times what it should, so that a result tells which derivative was used.
"""

from tests.autodiff.jit import Compiled

FUNCTION = """
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
@enzyme_width = external global i32

define double @square(double %x) noinline {
  %y = fmul double %x, %x
  ret double %y
}

define double @f(double %x) noinline {
  %y = call double @square(double %x)
  ret double %y
}
"""
GRADIENT = """
@__enzyme_register_gradient_square = global [3 x ptr] [ptr @square, ptr @augment, ptr @reverse]

define { double, double } @augment(double %x) {
  %y = fmul double %x, %x
  %both = insertvalue { double, double } poison, double %x, 0
  %all = insertvalue { double, double } %both, double %y, 1
  ret { double, double } %all
}

define double @reverse(double %x, double %seed, double %tape) {
  %partial = fmul double %tape, 20.0
  %dx = fmul double %partial, %seed
  ret double %dx
}

define double @gradient(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
"""
DERIVATIVE = """
@__enzyme_register_derivative_square = global [2 x ptr] [ptr @square, ptr @tangent]

define double @tangent(double %x, double %dx) {
  %partial = fmul double %x, 20.0
  %dy = fmul double %partial, %dx
  ret double %dy
}

define double @derivative(double %x) {
  %d = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %d
}
"""


def test_a_registered_gradient_gets_the_tape_of_its_augmented_function() -> None:
    assert Compiled(FUNCTION + GRADIENT).call("gradient", 3.0) == 60.0


def test_a_registered_derivative_is_called_in_forward_mode() -> None:
    assert Compiled(FUNCTION + DERIVATIVE).call("derivative", 3.0) == 60.0


SPLIT = """
@__enzyme_register_splitderivative_square = global [3 x ptr] [ptr @square, ptr @augment, ptr @forward]

define { double, double } @augment(double %x) {
  %y = fmul double %x, %x
  %both = insertvalue { double, double } poison, double %x, 0
  %all = insertvalue { double, double } %both, double %y, 1
  ret { double, double } %all
}

define double @forward(double %x, double %dx, double %tape) {
  %partial = fmul double %tape, 20.0
  %dy = fmul double %partial, %dx
  ret double %dy
}
"""


def test_a_derivative_in_halves_gets_the_tape_too() -> None:
    request = DERIVATIVE[DERIVATIVE.index("define double @derivative") :]
    assert Compiled(FUNCTION + SPLIT + request).call("derivative", 3.0) == 60.0


DIRECTIONS = """
define double @directions(double %x) {
  %w = load i32, ptr @enzyme_width
  %r = call { double, double } (...) @__enzyme_fwddiff.two(ptr @f, i32 %w, i32 2, double %x, double 1.0, double 5.0)
  %first = extractvalue { double, double } %r, 0
  %second = extractvalue { double, double } %r, 1
  %sum = fadd double %first, %second
  ret double %sum
}
declare { double, double } @__enzyme_fwddiff.two(...)
"""


def test_a_registered_derivative_is_called_for_each_direction() -> None:
    assert Compiled(FUNCTION + DERIVATIVE + DIRECTIONS).call("directions", 3.0) == 60.0 * 6


def test_the_augmented_function_may_have_no_tape() -> None:
    no_tape = (
        GRADIENT.replace(
            GRADIENT[GRADIENT.index("define { double, double } @augment") : GRADIENT.index("define double @reverse")],
            "define double @augment(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n",
        )
        .replace("double %seed, double %tape)", "double %seed)")
        .replace("double %tape, 20.0", "double %x, 20.0")
    )
    assert Compiled(FUNCTION + no_tape).call("gradient", 3.0) == 60.0
