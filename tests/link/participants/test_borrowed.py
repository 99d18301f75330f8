"""Units that stay in the link as native code: their functions are differentiated, their variables are shared."""

from __future__ import annotations

import shutil

import pytest

from enzyme_cc.link.inputs import elf
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.taken_addresses import named_addresses, taken_addresses

from ..conftest import CLANG, LINKERS, Project

COUNTING = """
static int calls;
static const char *const units[] = {"none", "one"};
static const char *name = "square";
const char *unit(int k) { return units[k]; }
double square(double x) { calls++; return name[0] == 's' ? x * x : x; }
int counted(void) { return calls; }
"""
COUNTED = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double square(double);
int counted(void);
double f(double x) { return square(x) + counted(); }
int main(void) { printf("%.1f %d\\n", __enzyme_autodiff((void *)f, 3.0), counted()); }
"""
CALLBACKS = """
typedef double function(double);
static double cube(double x) { return x * x * x; }
static double twice(double x) { return 2 * x; }
static double never(double x, int unused) { return x; }
static function *const table[] = {cube};
static function *held;
void choose(int k) { held = k ? twice : table[0]; }
double call(double x) { return held(x) + never(0, 1); }
"""
CALLING = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double call(double);
void choose(int);
int main(void) {
  for (int k = 0; k < 2; k++) {
    choose(k);
    printf("%.1f ", __enzyme_autodiff((void *)call, 3.0));
  }
}
"""


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("flags", ["", "-O2", "-ffunction-sections -fdata-sections", "-fno-pie -no-pie"])
def test_native_code_and_derivatives_share_static_variables(project: Project, linker: str, flags: str) -> None:
    project.linker = shutil.which(linker) or linker
    words = flags.split()
    library = project.compile("library.c", COUNTING, *[w for w in words if w != "-no-pie"])
    extra = [w for w in words if w == "-no-pie"] or (["-Wl,--gc-sections"] if "sections" in flags else [])
    project.link(project.compile("main.c", COUNTED), library, *extra)
    assert project.output_of() == ["6.0", "1"]


@pytest.mark.parametrize("library", [["libl.a"], ["-Wl,--whole-archive", "libl.a", "-Wl,--no-whole-archive"]])
def test_pointers_to_static_functions_find_their_derivatives(project: Project, library: list[str]) -> None:
    project.archive("libl.a", project.compile("callbacks.c", CALLBACKS), project.compile("counting.c", COUNTING))
    project.link(project.compile("main.c", CALLING), *library)
    assert project.output_of() == ["27.0", "2.0"]


def test_shared_library_of_borrowed_units(project: Project) -> None:
    user = project.compile("user.c", CALLING.replace("int main(", "int run("), "-fPIC")
    project.link("-shared", user, project.compile("callbacks.c", CALLBACKS, "-fPIC"), output="libuser.so")
    project.run(CLANG, project.native("main.c", "int run(void);\nint main(void) { run(); }\n"), "libuser.so", "-o", "m")
    assert project.output_of("m") == ["27.0", "2.0"]


def test_only_requests_are_compiled_again(project: Project) -> None:
    """The program has the library's own code of a function that is not differentiated, and of one that is."""
    library = COUNTING + "double other(double x) { return x + 1; }\n"
    native = project.compile("library.c", library, "-O2")
    project.link(project.compile("main.c", COUNTED), native)
    code = {f.name: f.size for f in elf.read((project.path / native).read_bytes()).functions}
    linked = {f.name: f.size for f in elf.read((project.path / "program").read_bytes()).functions}
    assert {name: linked[name] for name in code} == code


def test_the_program_calls_native_functions_and_derivatives_call_copies(project: Project) -> None:
    """A copy stays in the link only if derivatives call it: here, `power` is differentiated."""
    library = """
    __attribute__((noinline)) void power(double *x, int n) {
      double y = 1;
      for (int k = 0; k < n; k++) y *= *x;
      *x = y;
    }
    __attribute__((noinline)) int digits(int n) {
      int count = 0;
      for (; n; n /= 10) count++;
      return count;
    }
    """
    main = """
    #include <stdio.h>
    double __enzyme_autodiff(void *, ...);
    void power(double *, int);
    int digits(int);
    volatile int n = 3;
    __attribute__((noinline)) double f(double x) { power(&x, n); return x * digits(n); }
    int main(void) { printf("%.1f %.1f\\n", f(2.0), __enzyme_autodiff((void *)f, 2.0)); }
    """
    project.link(project.compile("main.c", main, "-O2"), project.compile("library.c", library, "-O2"))
    assert project.output_of() == ["8.0", "12.0"]
    names = [f.name for f in elf.read((project.path / "program").read_bytes()).functions]
    assert {name for name in names if "digits" in name} == {"digits", "digits.copy"}
    assert names.count("power") == names.count("digits") == 1


def test_constructors_of_borrowed_units_run_once(project: Project) -> None:
    body = COUNTING + "__attribute__((constructor)) static void start(void) { calls += 10; }\n"
    project.link(project.compile("main.c", COUNTED), project.compile("library.c", body))
    assert project.output_of() == ["6.0", "11"]


def test_a_static_variable_that_native_code_has_in_another_form(project: Project) -> None:
    """LLVM makes one bit of a variable that is 0 or one other value: such a unit is compiled again."""
    body = """
    static int factor;
    void start(void) { factor = 5; }
    double square(double x) { return x * x * factor; }
    int counted(void) { return 0; }
    """
    native = project.compile("library.c", body, "-O2")
    locals_ = elf.read((project.path / native).read_bytes()).locals
    assert "factor" not in locals_ or locals_["factor"].size == 1
    main = COUNTED.replace("int main(void) {", "void start(void);\nint main(void) { start();")
    project.link(project.compile("main.c", main), native)
    assert project.output_of() == ["30.0", "0"]


@pytest.mark.parametrize("flags", [(), ("-O2",), ("-ffunction-sections",), ("-fno-pic",)], ids=" ".join)
def test_addresses_that_native_code_takes(project: Project, flags: tuple[str, ...]) -> None:
    name = project.compile("callbacks.c", CALLBACKS, "-fno-inline", *flags)
    assert taken_addresses(elf.read((project.path / name).read_bytes())) == {"cube", "twice"}


@pytest.mark.parametrize("flags", [(), ("-O2", "-fPIC"), ("-O2", "-fno-plt", "-fPIC"), ("-fno-pic",)], ids=" ".join)
def test_addresses_of_other_files_that_native_code_takes(project: Project, flags: tuple[str, ...]) -> None:
    body = """
    double called(double), jumped_to(double), stored(double), listed(double);
    double (*table[])(double) = {listed};
    double (*choose(void))(double) { return called(1) > 0 ? stored : 0; }
    double f(double x) { return jumped_to(x); }
    """
    name = project.compile("others.c", body, *flags, embed=False)
    found = named_addresses(elf.read((project.path / name).read_bytes()))
    assert found - {"table"} == {"stored", "listed"}


def test_templates_that_another_member_has_too(project: Project) -> None:
    """The linker must not take the other member for the template: what that one calls is missing."""
    template = "template <class T> [[gnu::noinline]] T next(T n) { static T last; return last += n; }\n"
    other = template + "int missing();\nint other() { return next(missing()); }\n"
    used = template + "double scaled(double x, int n) { return x * next(n); }\n"
    main = """
    extern "C" int printf(const char *, ...);
    extern int enzyme_const;
    double __enzyme_autodiff(void *, ...);
    double scaled(double, int);
    int main() { printf("%.1f %.1f\\n", __enzyme_autodiff((void *)scaled, 2.0, enzyme_const, 3), scaled(1.0, 2)); }
    """
    project.archive("libl.a", project.compile("other.cpp", other), project.compile("used.cpp", used))
    project.link(project.compile("main.cpp", main), "libl.a")
    assert project.output_of() == ["3.0", "5.0"]


def test_second_names_stand_behind_all_symbols(project: Project) -> None:
    name = project.compile("library.c", COUNTING)
    before = (project.path / name).read_bytes()
    after = elf.with_global_names(before, {"calls": "calls.1"})
    assert elf.read(after).locals["calls"] == elf.read(before).locals["calls"]
    assert elf.read(after).symbols[:-1] == elf.read(before).symbols
    assert elf.read(after).symbols[-1].name == "calls.1"


UNUSED_CLASS = """
struct Shape { Shape(double); virtual double area(double) const; double side; };
struct Unused : Shape { Unused(double); double area(double) const override; };
Shape::Shape(double side) : side(side) {}
double Shape::area(double x) const { return side * x; }
Unused::Unused(double side) : Shape(side) {}
double Unused::area(double x) const { return side / x; }
double area(double x) { return Shape(x).area(x); }
"""
OF_CLASS = """
#include <stdio.h>
extern "C" double __enzyme_autodiff(void *, double);
double area(double);
int main() { printf("%.1f\\n", __enzyme_autodiff((void *)area, 3.0)); }
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_aliases_of_constructors_bring_no_class_that_is_not_used(project: Project, level: str) -> None:
    main, library = (
        project.compile(name, text, level) for name, text in (("main.cpp", OF_CLASS), ("library.cpp", UNUSED_CLASS))
    )
    project.link(main, library, "-lstdc++", enzyme=["--enzyme-save-temps=temps"])
    assert project.output_of() == ["6.0"]
    merged = (project.path / "temps" / "merged.ll").read_text()
    assert "_ZNK5Shape4areaEd" in merged and "Unused" not in merged


def test_names_beside_loads() -> None:
    text = """@loaded = internal global i32 0
@stored = internal global i32 0
@"in a table" = internal global i32 0
@table = internal constant [1 x ptr] [ptr @"in a table"]
@own = internal global ptr @own
@awaited = internal global i32 0
define i32 @f() {
  %1 = load i32, ptr @loaded, align 4
  store i32 %1, ptr @stored, align 4
  %2 = load atomic i32, ptr @awaited seq_cst, align 4
  %3 = call i32 @f()
  ret i32 %3
}
define i32 @g() {
  %1 = call i32 @f()
  ret i32 %1
}
"""
    assert ModuleText(text).named_beside_loads == {"stored", "in a table", "awaited", "f"}
