"""Declarations about functions that have been inlined before bitcode was written are refused, and nothing else is."""

from __future__ import annotations

import pytest

from ..conftest import Project, Result

MAIN = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double f(double);
int main(void) { printf("%.3f\\n", __enzyme_autodiff((void *)f, 3.0)); return 0; }
"""
# The gradient that is registered is ten times too large, to be told apart.
DECLARED = """
typedef struct { void *tape; double result; } taped;
double square(double x) { return x * x; }
taped augmented(double x) { return (taped){0, square(x)}; }
double reverse(double x, double d, void *tape) { return 20 * x * d; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)reverse};
"""
CALLER = """
double f(double x) { return square(x) + 1; }
"""
DECLARATION = "double square(double);"
OPTIMISED = ("-O2", "-flto")


def linked(project: Project, text: str, *flags: str, main: str = MAIN, further: str = "") -> Result:
    units = [project.compile("main.c", main), project.compile("square.c", text, *flags, embed="-flto" not in flags)]
    if further:
        units.append(project.compile("caller.c", further, *flags, embed="-flto" not in flags))
    return project.try_link(*units)


def test_with_debug_information_the_call_is_named(project: Project) -> None:
    result = linked(project, DECLARED + CALLER, *OPTIMISED, "-g")
    assert "square.c:8: error: the program declares something about square, but this call" in result.stderr
    assert "[EZ0212]" in result.stderr and "in function: f" in result.stderr


def test_through_another_function(project: Project) -> None:
    between = "static double between(double x) { return 2 * square(x); }\ndouble f(double x) { return between(x) + 1; }"
    result = linked(project, DECLARED + between, *OPTIMISED, "-g")
    assert "error: the program declares something about square, but this call of it has been inlined" in result.stderr


def test_without_debug_information_it_may_be(project: Project) -> None:
    result = linked(project, DECLARED + CALLER, *OPTIMISED)
    assert "[EZ0212]" in result.stderr and "may have been inlined" in result.stderr


@pytest.mark.parametrize("debug", [["-g"], []], ids=["-g", "no -g"])
@pytest.mark.parametrize("how", ["unoptimised", "not inlined", "a file of its own", "-O0"])
def test_what_is_not_inlined_is_accepted(project: Project, how: str, debug: list[str]) -> None:
    text, further, flags = DECLARED + CALLER, "", OPTIMISED
    if how == "unoptimised":
        flags = ("-O2",)
    elif how == "-O0":
        flags = ("-O0", "-flto")
    elif how == "not inlined":
        text = "__attribute__((noinline)) double square(double);" + text
    else:
        text, further = DECLARED, DECLARATION + CALLER
    result = linked(project, text, *flags, *debug, further=further)
    assert result.status == 0, result.stderr
    assert project.output_of() == ["60.000"]


def test_derivatives_may_inline_what_they_are_for(project: Project) -> None:
    """Only what requests reach counts: `augmented` calls `square`."""
    result = linked(project, DECLARED, *OPTIMISED, "-g", further=DECLARATION + CALLER)
    assert result.status == 0, result.stderr
    assert project.output_of() == ["60.000"]


def test_inactive_function(project: Project) -> None:
    text = "double cost(double x) { return x; }\nvoid *__enzyme_inactivefn[] = {(void *)cost};"
    result = linked(project, f"{text}\ndouble f(double x) {{ return x * cost(x); }}", *OPTIMISED)
    assert "the program declares something about cost" in result.stderr


@pytest.mark.parametrize("debug", [["-g"], []], ids=["-g", "no -g"])
def test_a_function_that_returns_its_argument(project: Project, debug: list[str]) -> None:
    """LLVM uses the argument of such a call in place of its result, though it does not inline the call."""
    text = (
        "__attribute__((noinline)) double kept(double x) { return x; }\nvoid *__enzyme_inactivefn[] = {(void *)kept};"
    )
    result = linked(project, f"{text}\ndouble f(double x) {{ return x * kept(x); }}", *OPTIMISED, *debug)
    assert "the program declares something about kept, but LLVM can do without its calls" in result.stderr


KEPT = "static {} double last;\nvoid *__enzyme_inactive_global[] = {{(void *)&last}};\n"
FORWARDING = "double f(double x) { last = x * x; return last * x; }"


def test_a_number_stored_in_an_inactive_variable(project: Project) -> None:
    result = linked(project, KEPT.format("") + FORWARDING, *OPTIMISED)
    assert "declares that last is inactive, but numbers stored there may not be loaded from there" in result.stderr


def test_an_inactive_variable_that_is_volatile(project: Project) -> None:
    result = linked(project, KEPT.format("volatile") + FORWARDING, *OPTIMISED)
    assert result.status == 0, result.stderr
    assert project.output_of() == ["9.000"]


def test_a_call_that_is_to_stay_though_nobody_needs_it(project: Project) -> None:
    put = '__attribute__((annotate("enzyme:preserve_primal"))) static void put(double *y, double x) { *y = x * x; }'
    text = f"{put}\ndouble f(double x) {{ double y; put(&y, x); return y; }}"
    assert "the program declares something about put" in linked(project, text, *OPTIMISED).stderr


FORTRAN = """
subroutine square(x, y) bind(c)
  use iso_c_binding
  real(c_double) :: x, y
  y = x**2
end subroutine
function f(x) bind(c) result(z)
  use iso_c_binding
  real(c_double), value :: x
  real(c_double) :: y, z
  interface
    subroutine square(x, y) bind(c)
      use iso_c_binding
      real(c_double) :: x, y
    end subroutine
  end interface
  {directive}
  call square(x, y)
  z = y + 1
end function
"""
FORTRAN_DECLARATION = """
void square(double *, double *);
void *augmented(double *x, double *dx, double *y, double *dy) { square(x, y); return 0; }
void reverse(double *x, double *dx, double *y, double *dy, void *tape) { *dx += 20 * *x * *dy; *dy = 0; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)reverse};
"""


@pytest.mark.parametrize("debug", [["-g"], []], ids=["-g", "no -g"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("directive", ["", "!dir$ noinline"])
def test_fortran(project: Project, directive: str, level: str, debug: list[str]) -> None:
    project.write("f.f90", FORTRAN.format(directive=directive))
    fat = ("-Xflang", "-flto=thin", "-Xflang", "-ffat-lto-objects")
    project.run("flang-22", level, *debug, *fat, "-c", "f.f90", "-o", "f.o")
    result = project.try_link(project.compile("main.c", MAIN + FORTRAN_DECLARATION), "f.o", "-lm")
    if directive or level == "-O0":
        assert result.status == 0, result.stderr
        assert project.output_of() == ["60.000"]
    else:
        assert "[EZ0212]" in result.stderr
        assert not debug or "f.f90:18: error:" in result.stderr
