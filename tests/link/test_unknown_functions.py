"""Calls through pointers to functions that the link knows no derivative of: what the program says, and that it ends."""

from __future__ import annotations

import re

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
OPERATIONS = """
#include <math.h>
#include <stdlib.h>
struct operations { double (*value)(double); void (*step)(void); double *(*make)(void); };
double state;
static double product(double x) { return x * x; }
static double series(double x) {
  double sum = 0;
  for (int k = 1; k < 9; k++) sum += sin(k * x) / k + exp(-k * x) * cos(k * x) + log(k + x * x) * sqrt(k + x);
  return sum;
}
static void step(void) { state = state * sin(state); }
static double *make(void) { return malloc(sizeof(double)); }
struct operations *create(int is_series) {
  struct operations *made = malloc(sizeof *made);
  *made = (struct operations){is_series ? series : product, step, make};
  return made;
}
"""
USES = """
#include <stdlib.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
struct operations { double (*value)(double); void (*step)(void); double *(*make)(void); };
struct operations *create(int);
extern double state;
__attribute__((noinline)) static double *moved(double *place) { *place += 1; return place; }
double value(struct operations *o, double x) { return o->value(x); }
double through_global(struct operations *o, double x) { state = x; o->step(); return state; }
double through_result(struct operations *o, double x) {
  double *place = o->make();
  *place = x * x;
  return *moved(place);
}
int main(int count, char **words) {
  struct operations *o = create(atoi(words[1]));
  return __builtin_fabs(__enzyme_autodiff((void *)REQUESTED, enzyme_const, o, 1.5) - (WANTED)) > 1e-12;
}
"""


def said(project: Project, number: int) -> str:
    done = project.try_run("./program", str(number))
    assert done.status < 0, "it went on"
    return done.stderr


@pytest.mark.parametrize("number, name", [(0, "visible"), (1, "hidden (pick.c)")])
def test_a_function_of_a_shared_library_is_named(project: Project, number: int, name: str) -> None:
    project.compile("pick.c", PICK, "-fPIC", embed=False)
    project.run(CLANG, "-shared", "pick.o", "-o", "libpick.so")
    project.link(project.compile("main.c", MAIN), "-L.", "-lpick")
    text = said(project, number)
    assert f"calls {name} of ./libpick.so through a pointer, and its derivative is unknown [EZ0305]" in text
    assert "in another object than the derivatives" in text


def test_library_functions_that_a_shared_library_stored_are_known(project: Project) -> None:
    pick = "#include <math.h>\ndouble (*pick(int number))(double) { return number ? sin : exp; }\n"
    project.compile("pick.c", pick, "-fPIC", embed=False)
    project.run(CLANG, "-shared", "pick.o", "-o", "libpick.so", "-lm")
    main = MAIN.replace("!= 6.0", "- (*words[1] == '0' ? exp(3) : cos(3)) > 1e-12").replace(
        "#include", "#include <math.h>\n#include", 1
    )
    project.link(project.compile("main.c", main), "-L.", "-lpick", "-lm")
    assert [project.try_run("./program", number).status for number in "01"] == [0, 0]


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
    assert f"calls {name}" in text and "was not compiled with enzyme-cc" in text and "[EZ0305]" in text
    assert "\n  called by: apply\n" in text


def test_names_are_those_of_the_source(project: Project) -> None:
    main = MAIN.replace("double apply(", "namespace app { double apply(").replace("held(x); }", "held(x); } }")
    main = main.replace("apply,", "app::apply,").replace("double __enz", 'extern "C" double __enz')
    main = main.replace("void *, double)", "void *, ...)").replace("*pick", "*pick", 1)
    pick = PICK.replace("double visible", "namespace far { double visible").replace("* x; }", "* x; } }", 1)
    objects = [
        project.compile("main.cpp", main, "-g"),
        project.compile("pick.cpp", pick.replace("? vis", "? far::vis"), embed=False),
    ]
    project.link(*objects, "-lstdc++")
    text = said(project, 0)
    assert "calls far::visible(double) of ./program through" in text
    assert re.search(r"called by: app::apply\(double\) \(main.cpp:\d+:\d+\)", text)
    assert "--enzyme-candidate=_ZN3far7visibleEd" in text


def test_a_null_pointer_is_told(project: Project) -> None:
    project.link(project.compile("main.c", MAIN), project.compile("pick.c", PICK, embed=False))
    assert "calls through a null pointer [EZ0305]" in said(project, 2)


@pytest.mark.parametrize(
    "requested, wanted, name",
    [
        ("value", "3.0", "product"),
        ("through_global", "__builtin_sin(1.5) + 1.5 * __builtin_cos(1.5)", "step"),
        ("through_result", "3.0", "make"),
    ],
)
def test_functions_beyond_the_budget_end_the_program(project: Project, requested: str, wanted: str, name: str) -> None:
    """They take part if they or their source file are named. No argument of the call needs to carry a derivative."""
    main = project.compile("main.c", USES, f"-DREQUESTED={requested}", f"-DWANTED={wanted}")
    library = project.compile("library.c", OPERATIONS)
    done = project.try_link(main, library, "-lm", enzyme=["--enzyme-closure=0"])
    assert done.status == 0 and "[EZ0311]" in done.stderr and name in done.stderr
    text = said(project, 0)
    assert f"calls {name} (library.c) of " in text and "link with --enzyme-candidate=library.c" in text
    for named in ("library.c", f"other.c,{name}"):
        options = ["--enzyme-closure=0", f"--enzyme-candidate={named}"]
        assert name not in project.try_link(main, library, "-lm", enzyme=options).stderr
        assert project.try_run("./program", "0").status == 0


def test_a_candidate_that_nothing_is_called_is_told(project: Project) -> None:
    main = project.compile("main.c", USES, "-DREQUESTED=value", "-DWANTED=3.0")
    library = project.compile("library.c", OPERATIONS)
    said = project.try_link(main, library, "-lm", enzyme=["--enzyme-candidate=produkt,library.c,reat"]).stderr
    assert "--enzyme-candidate=produkt names no function and no source file" in said
    assert "the nearest names are product" in said and "the nearest names are create" in said
    assert "candidate=library.c" not in said and said.count("[EZ0111]") == 2


KERNEL = """
struct kernel { double (*work)(double); };
static double work(double x) { return FACTOR * x * x; }
struct kernel NAME = {work};
"""
KERNELS = """
#include <stdlib.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
struct kernel { double (*work)(double); } *pick(int);
double value(struct kernel *kernel, double x) { return kernel->work(x); }
int main(int count, char **words) {
  int number = atoi(words[1]);
  return __enzyme_autodiff((void *)value, enzyme_const, pick(number), 1.5) != (number ? 6.0 : 3.0);
}
"""


def test_source_files_tell_functions_of_one_name_apart(project: Project) -> None:
    names = ("first", "second")
    kernels = [project.compile(f"{n}.c", KERNEL, f"-DNAME={n}", f"-DFACTOR={k}.0") for k, n in enumerate(names, 1)]
    picks = "extern struct kernel first, second; struct kernel *pick(int k) { return k ? &second : &first; }"
    kernels += [project.compile("main.c", KERNELS), project.compile("pick.c", picks)]
    done = project.try_link(*kernels, enzyme=["--enzyme-closure=0"])
    assert "are left out: work of first.c, work of second.c [EZ0311]" in done.stderr
    done = project.try_link(*kernels, enzyme=["--enzyme-closure=0", "--enzyme-candidate=second.c"])
    assert "are left out: work [EZ0311]" in done.stderr
    assert project.try_run("./program", "1").status == 0
    assert "calls work (first.c) of " in said(project, 0)
    both = [f"--enzyme-candidate={n}.c" for n in names]
    assert not project.try_link(*kernels, enzyme=["--enzyme-closure=0", *both]).stderr
    assert [project.try_run("./program", number).status for number in "01"] == [0, 0]


TABLE = """
struct kernel { int number; double (*work)(double); };
static double small(double x) { return x * x; }
DEFINITIONS
static const struct kernel kernels[] = {{0, small}, ROWS};
const struct kernel *find(int number) {
  const struct kernel *kernel = kernels;
  while (kernel->number != number) kernel++;
  return kernel;
}
"""
FOUND = """
#include <stdlib.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
const struct kernel { int number; double (*work)(double); } *find(int);
double value(int number, double x) { return find(number)->work(x); }
int main(int count, char **words) {
  return __enzyme_autodiff((void *)value, enzyme_const, atoi(words[1]), 1.5) != (atoi(words[1]) ? 1.0 : 3.0);
}
"""


def test_a_table_of_large_functions_does_not_reach_them_all(project: Project) -> None:
    steps = "n = (n ^ 7) * 31 + 1; " * 7000
    numbers = range(1, 12)
    large = "".join(f"static double large{k}(double x) {{ int n = x; {steps} return x + n % 2; }}\n" for k in numbers)
    text = TABLE.replace("DEFINITIONS", large).replace("ROWS", ", ".join(f"{{{k}, large{k}}}" for k in numbers))
    main, library = project.compile("main.c", FOUND), project.compile("library.c", text, "-O0")
    done = project.try_link(main, library, enzyme=["--enzyme-closure=1", "--enzyme-candidate=large7"])
    assert "functions that calls through pointers may reach are left out: large" in done.stderr, done.stderr
    assert [project.try_run("./program", number).status for number in ("0", "7")] == [0, 0]
    assert "calls large3 (library.c) of " in said(project, 3)


def test_functions_with_the_least_code_take_part(project: Project) -> None:
    main = project.compile("main.c", USES, "-DREQUESTED=value", "-DWANTED=3.0")
    many = "".join(
        f"static double term{k}(double x) {{ double s = x; {'s += sin(s) * cos(s * x);' * 12} return s; }}\n"
        for k in range(200)
    )
    text = OPERATIONS.replace("static double series", many + "static double series")
    calls = " + ".join(f"term{k}(x)" for k in range(200))
    text = text.replace("return sum;", f"return sum + {calls};")
    done = project.try_link(main, project.compile("library.c", text), "-lm", enzyme=["--enzyme-closure=1"])
    assert "functions that calls through pointers may reach are left out: series [EZ0311]" in done.stderr
    assert project.try_run("./program", "0").status == 0
    assert "calls series (library.c) of " in said(project, 1)


FAR = """
struct far { double (*value)(double, int); };
static double product(double x, int n) { SMALL return x * x + n % 2; }
struct far far;
static double through(double x) { return far.value(x, 2); }
static double large(double x) { int n = x; LARGE return x + n % 2; }
struct near { double (*value)(double); };
struct near *create(int is_large) {
  static struct near made[] = {{through}, {large}};
  far.value = product;
  return &made[is_large];
}
"""
NEAR = """
#include <stdlib.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
struct near { double (*value)(double); } *create(int);
double value(struct near *o, double x) { return o->value(x); }
int main(int count, char **words) {
  return __enzyme_autodiff((void *)value, enzyme_const, create(atoi(words[1])), 1.5) != 3.0;
}
"""


def test_a_small_function_takes_part_though_another_call_leads_to_it(project: Project) -> None:
    steps = {"SMALL": "n = (n ^ 7) * 31 + 1; " * 1300, "LARGE": "n = (n ^ 7) * 31 + 1; " * 4900}
    text = FAR.replace("SMALL", steps["SMALL"]).replace("LARGE", steps["LARGE"])
    main, library = project.compile("main.c", NEAR), project.compile("library.c", text)
    done = project.try_link(main, library, enzyme=["--enzyme-closure=1"])
    assert "functions that calls through pointers may reach are left out: large [EZ0311]" in done.stderr
    assert project.try_run("./program", "0").status == 0
    assert "calls large (library.c) of " in said(project, 1)
