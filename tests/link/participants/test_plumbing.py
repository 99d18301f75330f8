"""Functions that direct calls reach, with much code and no arithmetic behind them: those left out, and what runs."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.link.inputs.units import Definition, Unit
from enzyme_cc.link.participants.plumbing import HARDLY_ANY, Weight, dominated, plumbing

from ..conftest import Project

# so many make more than three megabytes of LLVM's text
STEPS = 6500
LIBRARY = """
#include <stdlib.h>
#include <string.h>
double kept = 2, *place = &kept;
__attribute__((noinline, optnone)) static int parse(const char *text) {
  unsigned n = 0;
  STEPS
  return n;
}
void move(double *to, const double *from) { if (parse("move")) memcpy(to, from, sizeof *to); }
void overwrite(void) { if (parse("overwrite")) memset(&kept, 0, sizeof kept); }
double *give(void) { return parse("give") ? place : 0; }
void make(double **made) { if (parse("make")) *made = malloc(sizeof **made); }
void visit(void (*function)(void)) { if (parse("visit")) function(); }
""".replace(
    "STEPS", "n = (n ^ (unsigned char)text[n & 3]) * 16777619u + (n >> 3) + 1;\n" * 6500
)  # more than three times the budget of 1 MB
MAIN = """
#include <stdio.h>
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
extern double kept;
#define LATE x[0] *= 1 /* what follows is no set-up: a number was stored */
void move(double *, const double *), overwrite(void), make(double **), visit(void (*)(void));
double *give(void);
static void doubled(void) { kept *= 2; }
static double by_argument(double *x) { double y; move(&y, x); return y * y; }
static double by_global(double *x) { kept = x[0]; overwrite(); return kept; }
__attribute__((noinline)) static double *moved(double *p) { *p += 1; return p; }
static double by_result(double *x) { LATE; double *p = give(); *p = x[0]; return *moved(p) * x[0]; }
static double by_read_result(double *x) { LATE; return *moved(give()) * x[0]; }
static double by_parameter(double *x) { LATE; double *made; make(&made); *made = x[0]; return *made * x[0]; }
static double by_callback(double *x) { kept = x[0]; visit(doubled); return kept; }
static double constant(double *x) { LATE; double y, z = 3; move(&y, &z); return x[0] * y; }
int main(void) {
  double x = 3, dx = 0;
  __enzyme_autodiff((void *)REQUESTED, &x, &dx);
  printf("%.1f\\n", dx);
}
"""

CAUGHT = """
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
extern "C" double kept;
extern "C" void overwrite(void);
static double f(double *x) {
  kept = x[0];
  try { overwrite(); } catch (int) { return 0; }
  return kept;
}
int main() {
  double x = 3, dx = 0;
  __enzyme_autodiff((void *)f, &x, &dx);
}
"""


def linked(project: Project, requested: str, *options: str, status: int = 0) -> str:
    """Links the program, and returns what the link says."""
    main = project.compile("main.c", MAIN, f"-DREQUESTED={requested}", "-O2")
    done = project.try_link(main, project.compile("library.c", LIBRARY, "-O2"), "-lm", enzyme=options)
    assert done.status == status, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    "requested, name",
    [
        ("by_argument", "move"),
        ("by_global", "overwrite"),
        ("by_parameter", "make"),
        ("by_callback", "visit"),
    ],
)
def test_an_active_call_ends_the_program(project: Project, requested: str, name: str) -> None:
    text = linked(project, requested, "--enzyme-closure=1")
    assert f"functions that direct calls may reach are left out: {name} [EZ0311]" in text
    assert "LLVM's text; --enzyme-closure=4 would be enough for all" in text
    done = project.try_run("./program")
    assert done.status < 0, f"it went on: {done.stdout}"
    assert re.search(rf"calls {name} of \S+, and its derivative is unknown", done.stderr), done.stderr
    assert "reason: the link left it out and warned of that (EZ0311)" in done.stderr
    assert f"link with --enzyme-candidate={name}; " in done.stderr


@pytest.mark.parametrize(
    "requested, wanted, options",
    [
        pytest.param("by_argument", "6.0", ["--enzyme-closure=0"], marks=pytest.mark.slow),
        pytest.param("by_callback", "2.0", ["--enzyme-closure=4"], marks=pytest.mark.slow),
        ("by_parameter", "6.0", ["--enzyme-closure=1", "--enzyme-candidate=make"]),
    ],
)
def test_nothing_is_left_out(project: Project, requested: str, wanted: str, options: list[str]) -> None:
    """The budget is large enough, or the function is named; without a budget, direct calls have no bound."""
    assert "direct calls" not in linked(project, requested, *options)
    assert project.output_of() == [wanted]


@pytest.mark.parametrize("requested, name, wanted", [("constant", "move", "3.0"), ("by_read_result", "give", "3.0")])
def test_a_constant_call_runs(project: Project, requested: str, name: str, wanted: str) -> None:
    assert f"are left out: {name} [EZ0311]" in linked(project, requested, "--enzyme-closure=1")
    assert project.output_of() == [wanted]


def test_an_active_call_in_a_try_block_ends_the_program(project: Project) -> None:
    main, library = project.compile("main.cpp", CAUGHT), project.compile("library.c", LIBRARY)
    done = project.try_link(main, library, "-lstdc++", enzyme=["--enzyme-closure=1"])
    assert done.status == 0 and "are left out: overwrite [EZ0311]" in done.stderr, done.stderr
    done = project.try_run("./program")
    assert done.status < 0 and "calls overwrite of " in done.stderr, done.stderr


def test_a_number_in_memory_that_such_a_function_gave_is_refused(project: Project) -> None:
    text = linked(project, "by_result", "--enzyme-closure=1", status=1)
    assert "are left out: give [EZ0311]" in text
    assert "a number or pointer that carries a derivative is stored in memory that give gave" in text


HALO = """
  %row = getelementptr double, ptr %field, i64 %at
  %number = load double, ptr %row, align 8
  %to = getelementptr i8, ptr %buffer, i64 %place
  store double %number, ptr %to, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %buffer, ptr %row, i64 %bytes, i1 false)
"""
PARAMETER = """
  %own = alloca double, align 8
  %member = getelementptr inbounds nuw %struct.s, ptr %s, i32 0, i32 1
  %number = load double, ptr %member, align 8
  store double %number, ptr %own, align 8
  store double %number, ptr %member, align 8
"""


@pytest.mark.parametrize("text, is_little", [(HALO, False), (PARAMETER, True)], ids=["halo", "parameter"])
def test_moves_of_numbers_in_arrays_count_as_arithmetic(text: str, is_little: bool) -> None:
    assert Weight.of(text + "\n" * 3000).has_little_arithmetic() == is_little


@pytest.mark.parametrize("operations, little, hardly_any", [(3, False, False), (2, True, False), (0, True, True)])
def test_little_arithmetic_and_hardly_any(operations: int, little: bool, hardly_any: bool) -> None:
    weight = Weight(40_000, 1000, operations)
    assert weight.has_little_arithmetic() == little and weight.has_little_arithmetic(HARDLY_ANY) == hardly_any


UNIT = Unit("unit", None, "unit", memoryview(b""))
CALLS = {"f": "gh", "g": "ik", "h": "jk", "i": "l", "j": "", "k": "", "l": "i"}


def successors(place: Definition) -> list[Definition]:
    return [(UNIT, name) for name in CALLS[place[1]]]


def test_weights_of_what_is_dominated() -> None:
    found = dominated([(UNIT, "f")], successors, lambda place: Weight(10, 1, place[1] == "l"))
    sizes = {place[1]: behind.size for place, behind in found}
    assert sizes == {"f": 70, "g": 30, "h": 20, "i": 20, "j": 10, "k": 10, "l": 10}
    assert {place[1] for place, behind in found if behind.arithmetic} == {"f", "g", "i", "l"}
    order = [place[1] for place, _ in found]
    assert order.index("l") < order.index("i") < order.index("g") < order.index("f")


@pytest.mark.parametrize(
    "computes, local, budget, wanted",
    [("", "", 60, ["g"]), ("", "g", 60, ["h"]), ("jk", "", 60, ["g"]), ("jkl", "", 60, []), ("", "", 400, [])],
)
def test_the_deepest_that_suffice_are_left_out(computes: str, local: str, budget: int, wanted: list[str]) -> None:
    def text_of(place: Definition) -> str:
        return " fadd " * 10 if place[1] in computes else "x" * 60 if place[1] in "gh" else "x" * 5

    left_out = plumbing([(UNIT, "f")], successors, text_of, budget, lambda p: p[1] not in f"f{local}")
    assert [name for _, name in left_out][: len(wanted)] == wanted and bool(left_out) == bool(wanted)
