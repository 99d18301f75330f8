"""Calls through a member of a struct reach the functions that are put there, and no others of their type."""

from __future__ import annotations

import pytest

from ..conftest import Project

LIBRARY = """
typedef double function(double);
struct smooth { long n; function *apply; };
struct rough { int n; function *apply; long more; };
struct nested { struct rough first; };
static double square(double x) { return x * x; }
static double step(double x) { return x > 0; }
static double jump(double x) { return x > 1; }
struct smooth one;
struct rough other;
struct rough both[2] = {{0, jump}, {1, jump}};
void put(function *f) { one.apply = f; }
void start(void) { put(square); struct nested in = {{0, step}}; other = in.first; }
double call(double x) { return one.apply(x); }
double call_other(double x) { return other.apply(x) + both[1].apply(x); }
"""
MAIN = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double call(double), call_other(double);
void start(void);
int main(void) { start(); printf("%.1f\\n", __enzyme_autodiff((void *)FUNCTION, 3.0)); }
"""


def differentiated(project: Project, function: str, *flags: str, text: str = LIBRARY) -> set[str]:
    """Returns the functions of the library that the link differentiates, after a run of the program."""
    library = project.compile("library.c", text, *flags)
    project.link(
        project.compile("main.c", MAIN.replace("FUNCTION", function)), library, enzyme=["--enzyme-save-temps=temps"]
    )
    merged = (project.path / "temps" / "merged.ll").read_text()
    heads = [line for line in merged.splitlines() if line.startswith("define ")]
    return {name for name in ("square", "step", "jump") if any(f"@{name}" in head for head in heads)}


def test_functions_in_other_structs_are_no_candidates(project: Project) -> None:
    assert differentiated(project, "call", "-O2") == {"square"}
    assert project.output_of() == ["6.0"]


def test_all_functions_that_are_put_into_a_member_are_candidates(project: Project) -> None:
    assert differentiated(project, "call_other", "-O2") == {"step", "jump"}
    assert project.output_of() == ["0.0"]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_structs_that_begin_alike_are_one(project: Project, level: str) -> None:
    alike = LIBRARY.replace("long n", "int n")
    assert differentiated(project, "call", level, text=alike) == {"square", "step", "jump"}


def test_functions_that_native_code_names_are_candidates(project: Project) -> None:
    library = LIBRARY.replace("void start(void)", "void start_other(void)")
    library = library.replace("static double step", "double step").replace("x > 0", "5 * x")
    native = """
typedef double function(double);
double step(double);
extern struct smooth { long n; function *apply; } one;
void start(void) { one.apply = step; }
"""
    units = [project.compile("library.c", library, "-O2"), project.native("native.c", native)]
    project.link(project.compile("main.c", MAIN.replace("FUNCTION", "call")), *units)
    assert project.output_of() == ["5.0"]
