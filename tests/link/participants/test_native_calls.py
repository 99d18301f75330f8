"""What the program itself calls is the native function of a library, by its own interface, whatever requests reach."""

from __future__ import annotations

import pytest

from ..conftest import Project

INTERFACES = """
#include <stdarg.h>
#include <stdlib.h>
struct large { double number[3]; int kind; };
struct pair { long first; double second; };
typedef double function(double, int, const int *);
int variadic(unsigned count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (unsigned i = 0; i < count; i++) sum += va_arg(list, int);
  va_end(list);
  return sum;
}
double guarded(double x, int n, const int *table) {
  int unused = table[n];
  if (n != 2) unused = 1;
  return x * x;
}
function *const chosen = guarded;
struct large by_memory(double x, struct large given, int mode) {
  given.number[mode] *= x;
  given.kind = mode;
  return given;
}
struct pair in_registers(double x, long n) { return (struct pair){n, n * x}; }
static double helper(double x, int mode) { return mode == 7 ? x * x : mode; }
double (*helper_of(void))(double, int) { return helper; }
double calls_helper(double x, int mode) { return helper(x, 7) + mode; }
int returned(double x, int n) { return x > 1e300 ? n : 3; }
"""
USER = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
struct large { double number[3]; int kind; };
struct pair { long first; double second; };
typedef double function(double, int, const int *);
int variadic(unsigned, ...);
double guarded(double, int, const int *);
extern function *const chosen;
struct large by_memory(double, struct large, int);
struct pair in_registers(double, long);
double (*helper_of(void))(double, int);
double calls_helper(double, int);
int returned(double, int);
static const int table[] = {5, 6, 7};
static double f(double x) {
  struct large given = {{1, 2, 3}, 4};
  return variadic(3, 2, 3, 1) * x + guarded(x, 2, table) + chosen(x, 2, table) + by_memory(x, given, 1).number[1] +
         in_registers(x, 5).second + helper_of()(x, 7) + calls_helper(x, 0) + returned(x, 3) * x;
}
int main(void) {
  struct large given = {{1, 2, 3}, 4}, made = by_memory(2, given, 1);
  struct pair pair = in_registers(2, 5);
  printf("%d %g %g ", variadic(3, 2, 3, 1), guarded(2, 2, table), chosen(2, 2, table));
  printf("%g %d %ld %g ", made.number[1], made.kind, pair.first, pair.second);
  printf("%g %g %d ", helper_of()(2, 7), calls_helper(2, 0), returned(2, 3));
  printf("%g\\n", __enzyme_autodiff((void *)f, 2.0));
}
"""
PRINTED = "6 4 4 4 1 5 10 4 4 3 32".split()

CONTEXT = "struct context { int kind; } world = {2};\nint kind_of(const struct context *c) { return c->kind; }\n"
INCOMPLETE = """
#include <stdio.h>
struct context;
extern struct context world;
int kind_of(const struct context *);
void *__enzyme_inactivefn_kind[] = {(void *)kind_of};
double __enzyme_autodiff(void *, double);
struct solver { struct context *context; double scale; };
double f(double x) {
  struct solver s = {&world, x};
  return s.scale * s.scale * kind_of(s.context);
}
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)f, 3.0)); }
"""


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O3 -g", "-O2 -ffunction-sections -fPIC"])
@pytest.mark.parametrize("user", ["-O0", "-O2"])
def test_each_interface_is_the_native_one(project: Project, level: str, user: str) -> None:
    """LLVM knows what all calls in the merged module pass, and which arguments the bodies there do not use."""
    library = project.compile("library.c", INTERFACES, *level.split())
    project.link(project.compile("user.c", USER, user), library)
    assert project.output_of() == PRINTED


def test_a_global_of_incomplete_type(project: Project) -> None:
    """Open MPI declares its communicators so."""
    library = project.native("library.c", CONTEXT)
    project.link(project.compile("user.c", INCOMPLETE), library)
    assert project.output_of() == ["12"]
