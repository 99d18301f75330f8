"""Profiles of calls: a program writes what its calls through pointers reach, and the next link takes that."""

from __future__ import annotations

import pytest

from ..conftest import Project

MAIN = """
#include <math.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
typedef double function(double);
function *first(int), *second(int);
function *volatile held[3];
double apply(double x) { return held[0](x) * held[1](x) + held[2](x); }
int main(int count, char **words) {
  int number = atoi(words[1]);
  held[0] = first(number), held[1] = second(number), held[2] = sin;
  double wanted = number ? 24 * 1.5 + cos(1.5) : 5 * pow(1.5, 4) + cos(1.5);
  held[0](1.0); /* outside of a request, nothing is noted */
  return fabs(__enzyme_autodiff((void *)apply, 1.5) - wanted) > 1e-12;
}
"""
FIRST = """
static double power(double x) { return x * x; }
static double unused(double x) { return 3 * x; }
double (*first(int number))(double) { return number ? unused : power; }
"""
SECOND = FIRST.replace("x * x", "x * x * x").replace("3 *", "4 *").replace("first", "second")
PROFILE = "first.c:power\nsecond.c:power\nsin of a library\n"


@pytest.fixture
def objects(project: Project) -> tuple[str, ...]:
    files = {"main.c": MAIN, "first.c": FIRST, "second.c": SECOND}
    return (*(project.compile(name, text) for name, text in files.items()), "-lm")


def profiled(project: Project, *words: str) -> str:
    """Runs the program, and returns its profile without comments."""
    done = project.try_run("./program", *words)
    assert "functions are written to enzyme-calls.txt; derivatives were zero in this run" in done.stderr
    lines = (project.path / "enzyme-calls.txt").read_text().splitlines()
    return "".join(f"{line}\n" for line in lines if not line.startswith("#"))


def test_a_program_writes_what_its_requests_call(project: Project, objects: tuple[str, ...]) -> None:
    project.link(*objects, enzyme=("--enzyme-profile-calls",))
    assert profiled(project, "0") == PROFILE
    assert profiled(project, "1") == PROFILE.replace("power", "unused")


def test_functions_of_a_profile_are_the_candidates(project: Project, objects: tuple[str, ...]) -> None:
    project.write("calls.txt", f"# a comment\n{PROFILE}")
    project.link(*objects, enzyme=("--enzyme-use-calls=calls.txt",))
    assert project.try_run("./program", "0").status == 0


def test_a_call_that_is_not_in_the_profile_ends_the_program(project: Project, objects: tuple[str, ...]) -> None:
    project.write("calls.txt", PROFILE)
    project.link(*objects, enzyme=("--enzyme-use-calls=calls.txt",))
    done = project.try_run("./program", "1")
    assert done.status < 0 and "calls unused (first.c)" in done.stderr and "[EZ0305]" in done.stderr
    assert "the profile of calls (--enzyme-use-calls) does not have it" in done.stderr
    assert "or add the line first.c:unused to it" in done.stderr


def test_several_profiles_are_joined(project: Project, objects: tuple[str, ...]) -> None:
    project.write("some.txt", PROFILE)
    project.write("more.txt", PROFILE.replace("power", "unused"))
    project.link(
        *objects,
        enzyme=(
            "--enzyme-use-calls=some.txt",
            "--enzyme-use-calls=more.txt",
        ),
    )
    assert [project.try_run("./program", number).status for number in "01"] == [0, 0]


def test_a_name_that_no_function_has_is_an_error(project: Project, objects: tuple[str, ...]) -> None:
    project.write("calls.txt", PROFILE.replace("second.c:power", "second.c:powr"))
    done = project.try_link(*objects, enzyme=("--enzyme-use-calls=calls.txt",))
    assert done.status != 0
    assert "no function with bitcode in this link is second.c:powr [EZ0111]" in done.stderr
    assert "did you mean second.c:power?" in done.stderr


def test_a_file_that_cannot_be_read_is_an_error(project: Project, objects: tuple[str, ...]) -> None:
    done = project.try_link(*objects, enzyme=("--enzyme-use-calls=none.txt",))
    assert done.status != 0 and "cannot read none.txt [EZ0104]" in done.stderr


def test_the_name_of_the_file_may_hold_the_process(
    project: Project, objects: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENZYME_CALLS_FILE", "calls-%p.txt")
    project.link(*objects, enzyme=("--enzyme-profile-calls",))
    project.try_run("./program", "0")
    (written,) = project.path.glob("calls-*.txt")
    assert written.stem.removeprefix("calls-").isdigit() and PROFILE in written.read_text()


STRUCTS = """
#include <stdio.h>
struct pair { double a, b, c, d; };
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);
template <typename R, typename... A> R __enzyme_autodiff(void *, A...);
extern int enzyme_dup;
struct shape { virtual double area(double) const = 0; };
struct square : shape { double area(double x) const override { if (x < 0) throw 1; return x * x; } };
struct circle : shape { double area(double x) const override { return 3 * x * x; } };
static const shape *shapes[2];
static pair spread(double x) { double y = shapes[0]->area(x); return {y, x, y, x}; }
static double size(double x) { return shapes[1]->area(x); }
int main(int count, char **words) {
  shapes[0] = new square, shapes[1] = count > 1 ? shapes[0] : new circle;
  pair p = __enzyme_fwddiff<pair>((void *)spread, enzyme_dup, 2.0, 1.0);
  double d = 0;
  try { d = __enzyme_autodiff<double>((void *)size, count > 1 ? -1.0 : 2.0); } catch (int) { puts("caught"); }
  printf("%g %g %g\\n", p.a, p.b, d);
}
"""


def test_structs_virtual_functions_and_exceptions(project: Project) -> None:
    object_ = project.compile("shapes.cpp", STRUCTS)
    project.link(object_, "-lstdc++", enzyme=("--enzyme-profile-calls",))
    assert profiled(project) == "_ZNK6circle4areaEd\n_ZNK6square4areaEd\n"
    assert project.try_run("./program").stdout == "0 0 0\n"
    assert "caught" in project.try_run("./program", "x").stdout
    project.link(object_, "-lstdc++", enzyme=("--enzyme-use-calls=enzyme-calls.txt",))


def test_candidates_may_stand_in_a_file(project: Project, objects: tuple[str, ...]) -> None:
    """With a budget of zero, only named functions of other units take part."""
    project.write("names.txt", "# functions\nfirst.c\n\npower\n")
    project.link(
        *objects,
        enzyme=(
            "--enzyme-closure=0",
            "--enzyme-candidates=names.txt",
        ),
    )
    assert project.try_run("./program", "0").status == 0
    project.write("names.txt", "first.c\npowr\n")
    said = project.try_link(
        *objects,
        enzyme=(
            "--enzyme-closure=0",
            "--enzyme-candidates=names.txt",
        ),
    ).stderr
    assert "powr names no function and no source file" in said


def test_a_changed_profile_is_another_link(cached: Project) -> None:
    files = {"main.c": MAIN, "first.c": FIRST, "second.c": SECOND}
    objects = (*(cached.compile(name, text) for name, text in files.items()), "-lm")
    statuses = []
    for profile in (PROFILE, PROFILE.replace("second.c:power\n", "")):
        cached.write("calls.txt", profile)
        cached.link(*objects, enzyme=("--enzyme-use-calls=calls.txt",))
        statuses.append(cached.try_run("./program", "0").status)
    assert statuses[0] == 0 and statuses[1] < 0
