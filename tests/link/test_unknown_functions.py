"""Calls through pointers to functions that the link knows no derivative of: what the program says, and that it ends."""

from __future__ import annotations

import pytest

from .conftest import CLANG, Project

MAIN = """
#include <stdlib.h>
double __enzyme_autodiff(void *, double);
typedef double function(double);
function *pick(int number);
double square(double x) { return x * x; }
function *volatile held = square;
double apply(double x) { return held(x); }
int main(int count, char **words) {
  held = pick(atoi(words[1]));
  return __enzyme_autodiff((void *)apply, 3.0) != 6.0;
}
"""
PICK = """
double visible(double x) { return x * x; }
static double hidden(double x) { return x * x * x; }
double (*pick(int number))(double) { return number == 0 ? visible : number == 1 ? hidden : 0; }
"""


def said(project: Project, number: int) -> str:
    done = project.try_run("./program", str(number))
    assert done.status < 0, "it went on"
    return done.stderr


@pytest.mark.parametrize("number, name", [(0, "visible"), (1, "hidden")])
def test_a_function_of_a_shared_library_is_named(project: Project, number: int, name: str) -> None:
    project.compile("pick.c", PICK, "-fPIC", embed=False)
    project.run(CLANG, "-shared", "pick.o", "-o", "libpick.so")
    project.link(project.compile("main.c", MAIN), "-L.", "-lpick")
    text = said(project, number)
    assert f"calls {name} of ./libpick.so through a pointer, and its derivative is unknown [EZ0305]" in text
    assert "in another object than the derivatives" in text


def test_a_library_without_names_is_told_by_its_offset(project: Project) -> None:
    project.compile("pick.c", PICK, "-fPIC", embed=False)
    project.run(CLANG, "-shared", "-s", "pick.o", "-o", "libpick.so")
    project.link(project.compile("main.c", MAIN), "-L.", "-lpick")
    text = said(project, 1)
    assert "calls the function at offset 0x" in text and " of ./libpick.so through a pointer" in text


@pytest.mark.parametrize("options", [(), ("-static",), ("-no-pie",)], ids=["pie", "static", "no-pie"])
@pytest.mark.parametrize("number, name", [(0, "visible"), (1, "hidden")])
def test_a_function_of_plain_code_in_the_program_is_named(
    project: Project, number: int, name: str, options: tuple[str, ...]
) -> None:
    project.link(project.compile("main.c", MAIN), project.compile("pick.c", PICK, embed=False), *options)
    text = said(project, number)
    assert f"calls {name} of " in text and "was not compiled with enzyme-cc" in text and "[EZ0305]" in text


def test_a_null_pointer_is_told(project: Project) -> None:
    project.link(project.compile("main.c", MAIN), project.compile("pick.c", PICK, embed=False))
    assert "calls through a null pointer [EZ0305]" in said(project, 2)
