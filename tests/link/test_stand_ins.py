"""Library functions without bitcode are differentiated by our own bodies for them, and called as ever elsewhere."""

from __future__ import annotations

from pathlib import Path

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.merged_module.libraries.shipped import Shipped
from enzyme_cc.link.merged_module.libraries.stand_ins import PREFIX
from enzyme_cc.rules.library_functions import known
from enzyme_cc.rules.parallel.fibers import WAKES
from enzyme_cc.rules.parallel.openmp import is_called_itself
from enzyme_cc.rules.table import lookup

from .conftest import CLANG, Project

SOURCES = Path(__file__).parents[2] / "toolchain" / "stand_ins"

ARRAY = """
struct array { double *base; long bytes; int version; char rank, type, attribute, extra; long dim[3]; };
"""
MAIN = (
    ARRAY
    + """
#include <stdio.h>
double __enzyme_autodiff(void *, double *, double *);
double _FortranASumReal8(struct array *, const char *, int, int, void *);
static double f(double *x) {
  struct array a = {x, sizeof *x, 0, 1, 28, 0, 0, {1, 3, sizeof *x}};
  return _FortranASumReal8(&a, 0, 0, 0, 0) * x[0];
}
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  struct array a = {x};
  printf("%g ", _FortranASumReal8(&a, 0, 0, 0, 0));
  __enzyme_autodiff((void *)f, x, dx);
  printf("%g %g %g\\n", dx[0], dx[1], dx[2]);
}
"""
)
#: tells itself from the real one
LIBRARY = ARRAY + "double _FortranASumReal8(struct array *a, const char *f, int l, int d, void *m) { return 42; }\n"


def test_differentiated_code_calls_the_stand_in_other_code_the_library(project: Project) -> None:
    project.link(project.compile("main.c", MAIN), project.native("library.c", LIBRARY))
    assert project.output_of() == ["42", "7", "1", "1"]


def test_a_definition_with_bitcode_prevails(project: Project) -> None:
    library = LIBRARY.replace("return 42", "return a->base[1] * a->base[1]")
    project.link(project.compile("main.c", MAIN), project.compile("library.c", library))
    assert project.output_of() == ["4", "4", "4", "0"]


def test_no_stand_in_for_a_function_of_another_prototype(project: Project) -> None:
    main = MAIN.replace("const char *, int, int", "const char *, int, long")
    result = project.try_link(project.compile("main.c", main), project.native("library.c", LIBRARY))
    assert result.status != 0 and "EZ0302" in result.stderr and "_FortranASumReal8" in result.stderr


def shipped() -> list[str]:
    """The functions that have stand-ins, by the symbols of the bitcode: macros make names."""
    module = llvm_passes.parse_bitcode(Shipped.STAND_INS.bitcode("x86_64"))
    return [f.name.removeprefix(PREFIX) for f in module.functions if f.name.startswith(PREFIX)]


def test_rows_of_tables_give_the_same_functions_only_where_stand_ins_call_these() -> None:
    """The function itself is then inactive: it writes over numbers, tells of the process, wakes, or serves a team."""
    telling = {"getenv", "secure_getenv", "pthread_self", *WAKES}
    others = (name for name in shipped() if name not in telling and not is_called_itself(name))
    rows = {name: known(name) for name in others}
    assert rows
    assert [name for name, row in rows.items() if row is not None and (row.writes == "none" or row.integers)] == []
    assert [name for name in rows if lookup(name) is not None] == []


def test_no_warnings_of_the_compiler(project: Project) -> None:
    text = "".join(f'#include "{source}"\n' for source in sorted(SOURCES.glob("*.c")))
    project.write("all.c", text)
    assert project.try_run(CLANG, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "all.c").stderr == ""
