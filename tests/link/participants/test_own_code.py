"""Units with requests stay in the link as native code, except their functions with requests."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from enzyme_cc.link.inputs import elf

from ..conftest import LINKERS, Project

HEAD = """
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
"""
SHARING = (
    HEAD
    + """
static int calls;
static const char *const units[] = {"none", "one"};
static double point[2] = {3, 4}, shadow[2];
__attribute__((noinline)) double square(double x) { return x * x; }
__attribute__((noinline)) static double cube(const double *x, int n) { return n * x[0] * x[0] * x[1]; }
__attribute__((noinline)) static void count(void) { calls++; }
__attribute__((noinline)) static double gradient(void) {
  count();
  __enzyme_autodiff((void *)cube, enzyme_dup, point, shadow, enzyme_const, 2);
  return shadow[0];
}
double asks(double x) { return gradient() + __enzyme_autodiff((void *)square, x); }
__attribute__((noinline)) int other(int n) { count(); return n * 3; }
int main(int number, char **words) {
  printf("%g %g %s ", square(2), cube(point, 1), units[number]);
  printf("%g ", asks(3));
  count();
  printf("%d %d\\n", other(2), calls);
}
"""
)
INLINE = """
#include <stdio.h>
extern "C" double __enzyme_autodiff(void *, ...);
template <class T> T power(T x, int n) { return n ? x * power(x, n - 1) : 1; }
template <class T> inline T slope(T x) {
  static int calls;
  return __enzyme_autodiff((void *)power<T>, x, 3) + ++calls;
}
double first(double x);
double second(double x);
"""
FIRST = INLINE + "double first(double x) { return slope(x); }\ndouble (*address())(double) { return slope<double>; }\n"
SECOND = INLINE + "double second(double x) { return slope(x); }\n"
USER = (
    INLINE
    + """
double (*address())(double);
int main() {
  printf("%g ", first(2));
  printf("%g ", second(2));
  printf("%g %g\\n", address()(2), power(2., 4));
}
"""
)
OVERFLOW = (
    HEAD
    + """
__attribute__((noinline)) double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
int main(void) {
  double *x = calloc(4, 8), dx[4] = {0};
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, 4);
  printf("%g\\n", sum(x, 5));
}
"""
)


def sizes(project: Project, name: str) -> dict[str, int]:
    return {f.name: f.size for f in elf.read((project.path / name).read_bytes()).functions}


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("flags", ["-O0", "-O2", "-O3 -g -ffunction-sections -fdata-sections", "-O1 -fno-pie -no-pie"])
def test_only_functions_with_requests_are_compiled_again(project: Project, linker: str, flags: str) -> None:
    project.linker = shutil.which(linker) or linker
    words = flags.split()
    native = project.compile("main.c", SHARING, *[w for w in words if w != "-no-pie"])
    project.link(native, *[w for w in words if w == "-no-pie"])
    assert project.output_of() == "4 36 one 54 6 3".split()
    code, linked = sizes(project, native), sizes(project, "program")
    assert {name: linked[name] for name in ("square", "cube", "other", "count")}.items() <= code.items()


def test_the_unit_is_a_member_of_an_archive(project: Project) -> None:
    text = SHARING.replace("int main(", "int run(")
    project.archive("libmain.a", project.compile("run.c", text, "-O2"))
    user = project.native("main.c", "int run(int, char **);\nint main(int n, char **w) { run(n, w); }\n")
    project.link(user, "libmain.a")
    assert project.output_of() == "4 36 one 54 6 3".split()


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_inline_functions_with_requests(project: Project, level: str) -> None:
    """The new object's definition prevails over those of all units, and their static variable is one."""
    texts = {"first.cpp": FIRST, "second.cpp": SECOND, "user.cpp": USER}
    objects = [project.compile(name, text, level) for name, text in texts.items()]
    project.link(*objects, "-lstdc++")
    assert project.output_of() == "13 14 15 16".split()


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_the_program_calls_stays_instrumented(project: Project, level: str) -> None:
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    if "/" not in library:
        pytest.skip("no library of AddressSanitizer")
    linked = project.try_link(project.compile("main.c", OVERFLOW, level, "-fsanitize=address"), library)
    assert linked.status == 0 and "main of main.o lose the checks of AddressSanitizer [EZ0115]" in linked.stderr
    done = project.try_run("./program")
    assert done.status != 0 and "heap-buffer-overflow" in done.stderr, done.stderr


def test_lines_that_gcov_does_not_count_are_told(project: Project) -> None:
    project.compile("gcov.c", "int unused;\n")
    unit = project.compile("main.c", SHARING, "--coverage")
    linked = project.try_link(unit, "gcov.o", "-Wl,--unresolved-symbols=ignore-all")
    assert linked.status == 0 and "gcov does not count the lines of all functions of main.o [EZ0120]" in linked.stderr
    assert "gcov" not in project.try_link(project.compile("main.c", SHARING), "gcov.o").stderr
