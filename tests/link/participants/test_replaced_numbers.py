"""A branch in which LLVM may have put a constant in the place of a number is warned of, and no other branch is."""

from __future__ import annotations

import pytest

from ..conftest import Project, Result

MAIN = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double f(double);
int main(void) { printf("%.3f\\n", __enzyme_autodiff((void *)f, 2.0)); return 0; }
"""
OPTIMISED = ("-O2", "-flto")


def linked(project: Project, body: str, *flags: str) -> Result:
    text = f"#include <math.h>\n#include <stdio.h>\ndouble f(double x) {{ {body} }}\n"
    units = [project.compile("main.c", MAIN), project.compile("f.c", text, *flags, embed="-flto" not in flags)]
    return project.try_link(*units, "-lm")


@pytest.mark.parametrize(
    "body",
    ["return x == 2 ? 3 * x : x * x * x;", "double y = x * x; if (x != 2) return y; return y * exp(x);"],
)
def test_a_branch_with_constants_is_told(project: Project, body: str) -> None:
    result = linked(project, body, *OPTIMISED, "-g")
    assert "f.c:3: warning: a branch where a number equals 2.000000e+00" in result.stderr
    assert "[EZ0218]" in result.stderr and "in function: f" in result.stderr


def test_other_branches_are_not_told(project: Project) -> None:
    at_zero = "if (x == 0) return 1;"
    printed = 'if (x == 2) puts("2");'
    summed = "double s = 0; for (int i = 0; i < 5; i++) { if (s == 3) break; s += x > 2 ? 2 : x; }"
    assert "EZ0218" not in linked(project, f"{at_zero} {printed} {summed} return s / x;", *OPTIMISED).stderr


def test_unoptimised_bitcode_loses_nothing(project: Project) -> None:
    result = linked(project, "return x == 2 ? 3 * x : x * x * x;", "-O2")
    assert "EZ0218" not in result.stderr
