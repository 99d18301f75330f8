"""What links print: a warning if a function without a derivative is called under a condition, else nothing."""

from __future__ import annotations

from .conftest import ENZYME_CC, Builder
from .test_programs import STOPPED


def test_branch_without_derivative(builder: Builder) -> None:
    (program,) = [path for path in STOPPED if path.name == "branch_without_derivative.c"]
    built = builder.build(program, "-O1", "-g")
    assert built.status == 0, built.text
    assert "branch_without_derivative.c:10:3: warning: inline assembly in differentiated code [EZ0301]" in built.text
    assert "  reached by: the request at" in built.text
    assert "note: these functions are called under conditions: the program ends if it calls their deriv" in built.text


CONDITION = """\
extern double __enzyme_autodiff(void *, double);
extern double outside(double);
double f(double x) { return x > 2 ? outside(x) * x : x; }
int main(void) { return __enzyme_autodiff((void *)f, 1.0) != 1; }
"""


def test_a_call_under_a_condition_names_the_function_that_makes_it(builder: Builder) -> None:
    (builder.folder / "a.c").write_text(CONDITION)
    (builder.folder / "n.s").write_text(".globl outside\noutside: ret\n")
    built = builder.run(ENZYME_CC, "-g", "-O1", "a.c", "n.s", "-o", "program")
    assert built.status == 0 and "a.c:3:37: warning: the differentiated code calls outside" in built.text, built.text
    assert "  in function: f\n" in built.text and "--enzyme-inactive=NAME" in built.text
    assert builder.run("./program").status == 0


LOCAL_LIST = """
#include <stdarg.h>
extern double __enzyme_autodiff(void *, double);
static __attribute__((noinline)) double sum(int n, ...) {
  va_list list;
  double s = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) s += va_arg(list, double);
  va_end(list);
  return s;
}
double f(double x) { return sum(2, x, 3.0) * sum(3, 1.0, x, x); }
int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 15; }
"""


def test_copies_of_functions_keep_no_records_of_variables(builder: Builder) -> None:
    (builder.folder / "list.c").write_text(LOCAL_LIST)
    built = builder.run(ENZYME_CC, "-g", "-O2", "list.c", "-o", "program")
    assert (built.status, built.text) == (0, "")
    assert builder.run("./program").status == 0
