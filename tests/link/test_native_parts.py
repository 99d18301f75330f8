"""`ld -r` of objects with and without bitcode: one object, of which each part is linked as what it is."""

from __future__ import annotations

import re
import shutil

import pytest

from .conftest import CLANG, LINKERS, MAIN, SQUARE, Project
from .test_errors import expect

# The native part reads and calls what the bitcode defines, the bitcode what the native part defines.
COUNTED = """
int calls;
int scale(void);
static int own;
double square(double x) { calls++; own++; return x * x * scale(); }
int both(void) { return calls * 10 + own; }
"""
PART = """
extern int calls;
double square(double);
int scale(void) { return 2; }
int part(void) { return square(1.0) == 2.0 ? calls * 100 : -1; }
"""
USER = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double square(double);
int part(void), both(void);
int main(void) {
  printf("%.3f ", __enzyme_autodiff((void *)square, 3.0));
  printf("%d ", part());
  printf("%d\\n", both());
}
"""


def mixed(project: Project, *objects: str, linker: str = "ld") -> str:
    project.run(linker, "-r", *objects, "-o", "mixed.o")
    return "mixed.o"


@pytest.mark.parametrize("linker", LINKERS)
def test_both_parts_work_on_the_same_variables(project: Project, linker: str) -> None:
    object_ = mixed(project, project.compile("square.c", COUNTED), project.native("part.c", PART), linker=linker)
    project.linker = shutil.which(linker) or linker
    project.link(project.compile("main.c", USER), object_)
    assert project.output_of() == ["12.000", "200", "22"]
    assert not {".enzybc", ".enzycmd"} & project.sections("program")


@pytest.mark.parametrize("library", [["libmixed.a"], ["-Wl,--whole-archive", "libmixed.a", "-Wl,--no-whole-archive"]])
def test_mixed_member_of_an_archive(project: Project, library: list[str]) -> None:
    member = mixed(project, project.compile("square.c", COUNTED), project.native("part.c", PART))
    project.archive("libmixed.a", member)
    project.link(project.compile("main.c", USER), *library)
    assert project.output_of() == ["12.000", "200", "22"]


def test_shared_library(project: Project) -> None:
    square, part = project.compile("square.c", COUNTED, "-fPIC"), project.native("part.c", PART, "-fPIC")
    user = project.compile("user.c", USER.replace("int main(", "int run("), "-fPIC")
    project.link("-shared", user, mixed(project, square, part), output="libuser.so")
    project.run(CLANG, project.native("main.c", "int run(void);\nint main(void) { run(); }\n"), "libuser.so", "-o", "m")
    assert project.output_of("m") == ["12.000", "200", "22"]


def test_request_beside_native_code(project: Project) -> None:
    part = project.native("part.c", PART)
    project.link(mixed(project, project.compile("main.c", USER), project.compile("square.c", COUNTED), part))
    assert project.output_of() == ["12.000", "200", "22"]


def test_native_part_that_only_has_a_constructor(project: Project) -> None:
    part = "int calls; __attribute__((constructor)) static void start(void) { calls = 40; }"
    body = COUNTED.replace("int calls", "extern int calls").replace("scale()", "1").replace("int scale(void);", "")
    square = project.compile("square.c", body)
    main = project.compile("main.c", USER.replace("part()", "0").replace("int part(void), both", "int both"))
    project.link(main, mixed(project, square, project.native("part.c", part)))
    assert project.output_of() == ["6.000", "0", "411"]


def test_constructor_in_a_borrowed_object_runs_once(project: Project) -> None:
    body = COUNTED + "__attribute__((constructor)) static void start(void) { calls += 40; }\n"
    object_ = mixed(project, project.compile("square.c", body), project.native("part.c", PART))
    project.link(project.compile("main.c", USER), object_)
    assert project.output_of() == ["12.000", "4200", "422"]


def test_constructor_beside_a_request_runs_once(project: Project) -> None:
    body = USER + "__attribute__((constructor)) static void start(void) { calls += 40; }\n"
    body = "extern int calls;\n" + body
    object_ = mixed(project, project.compile("main.c", body), project.native("part.c", PART))
    project.link(object_, project.compile("square.c", COUNTED))
    assert project.output_of() == ["12.000", "4200", "422"]


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ("__attribute__((constructor)) static void start(void) { both(); }", "runs before or after main"),
        ('__attribute__((section("commands"), used)) static int entry = 1;', "puts entry into section commands"),
    ],
)
def test_what_a_unit_that_is_compiled_again_would_do_twice_is_refused(
    project: Project, definition: str, reason: str
) -> None:
    """A unit that defines a marker is compiled again as a whole."""
    body = f"{USER}{definition}\nint enzyme_const;\n"
    object_ = mixed(project, project.compile("main.c", body), project.native("part.c", PART))
    result = project.try_link(object_, project.compile("square.c", COUNTED))
    expect(project, result, "EZ0114", "mixed.o", reason, "ld -r")


def test_counted_section_beside_a_request_is_there_once(project: Project) -> None:
    body = USER + '__attribute__((section("commands"), used)) static int entry = 1;\n'
    object_ = mixed(project, project.compile("main.c", body), project.native("part.c", PART))
    project.link(object_, project.compile("square.c", COUNTED))
    assert project.output_of() == ["12.000", "200", "22"]
    assert re.search(r" commands +PROGBITS +\w+ +\w+ 000004 ", project.run("readelf", "-SW", "program"))


def test_request_in_the_native_part_is_refused(project: Project) -> None:
    caller = "double __enzyme_autodiff(void *, double);\ndouble native(double x) { return __enzyme_autodiff(0, x); }\n"
    object_ = mixed(project, project.compile("square.c", SQUARE), project.native("native.c", caller))
    result = project.try_link(project.compile("main.c", MAIN), object_)
    expect(project, result, "EZ0107", "native of mixed.o calls __enzyme_autodiff", "no bitcode defines native")


def test_differentiated_function_in_the_native_part_is_refused(project: Project) -> None:
    other = project.compile("other.c", "int other(void) { return 1; }")
    object_ = mixed(project, other, project.native("square.c", SQUARE))
    main = MAIN.replace("return 0", "return !other()").replace("int main", "int other(void);\nint main")
    result = project.try_link(project.compile("main.c", main), object_)
    expect(project, result, "EZ0108", "square", "mixed.o")
