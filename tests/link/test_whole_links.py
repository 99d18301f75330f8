"""Links of whole programs, each with one thing that a linker has to get right."""

from __future__ import annotations

import re
import shutil

import pytest

from .conftest import LINKERS, MAIN, SQUARE, Project


def test_two_units(project: Project) -> None:
    project.link(project.compile("main.c", MAIN), project.compile("square.c", SQUARE))
    assert project.output_of() == ["6.000"]


@pytest.mark.parametrize("linker", LINKERS)
def test_linker(project: Project, linker: str) -> None:
    project.linker = shutil.which(linker) or linker
    library = project.archive("libsquare.a", project.compile("square.c", SQUARE))
    project.link(project.compile("main.c", MAIN), library)
    assert project.output_of() == ["6.000"]


def test_no_request_is_a_plain_link(project: Project) -> None:
    project.link(project.compile("main.c", "int main(void) { return 0; }"))
    project.run("./program")


def test_same_basename(project: Project) -> None:
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    units = [
        project.compile("main.c", main),
        project.compile("a/unit.c", SQUARE),
        project.compile("b/unit.c", "int other(void) { return 0; }"),
    ]
    project.link(*units)
    assert project.output_of() == ["6.000"]


def test_same_basename_in_one_archive(project: Project) -> None:
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    project.compile("a/unit.c", SQUARE)
    project.compile("b/unit.c", "int unused(void) { return 3; }")
    project.compile("c/unit.c", "int other(void) { return 0; }")
    project.archive("libunits.a", "b/unit.o", "a/unit.o", "c/unit.o", flags="qcs")
    assert project.run("ar", "t", "libunits.a").split() == ["unit.o"] * 3
    project.link(project.compile("main.c", main), "libunits.a")
    assert project.output_of() == ["6.000"]


def test_static_functions_of_one_name(project: Project) -> None:
    helper = "static __attribute__((noinline)) double helper(double x) {{ return {} * x; }}\n"
    first = helper.format(2) + "double outer(double); double square(double x) { return helper(outer(x)); }"
    second = helper.format(5) + "double outer(double x) { return helper(x); }"
    project.link(project.compile("main.c", MAIN), project.compile("a.c", first), project.compile("b.c", second))
    assert project.output_of() == ["10.000"]


def test_weak_definition_gives_way(project: Project) -> None:
    weak = "__attribute__((weak)) double square(double x) { return 7 * x; }"
    project.link(project.compile("main.c", weak + MAIN), project.compile("square.c", SQUARE))
    assert project.output_of() == ["6.000"]


def test_weak_definition_gives_way_to_native_code(project: Project) -> None:
    weak = "__attribute__((weak)) double value(void) { return 7; } double square(double x) { return value() * x; }"
    strong = project.native("strong.c", "double value(void) { return 4; }")
    project.link(project.compile("main.c", MAIN), project.compile("weak.c", weak), strong)
    assert project.output_of() == ["4.000"]


def test_weak_definition_gives_way_in_a_unit_that_is_cleared(project: Project) -> None:
    """Comparisons before it become shorter: they lose their rounding mode."""
    square = "double value(void); double square(double x) { return x == 1 || x == 2 ? 0 : value() * x; }"
    weak = "__attribute__((weak)) double value(void) { return 7; }"
    strong = project.native("strong.c", "double value(void) { return 4; }")
    unit = project.compile("weak.c", square + weak, "-frounding-math", "-ftrapping-math")
    project.link(project.compile("main.c", MAIN), unit, strong)
    assert project.output_of() == ["4.000"]


def test_weak_definition_prevails(project: Project) -> None:
    weak = "__attribute__((weak)) double square(double x) { return 7 * x; }"
    project.link(project.compile("main.c", weak + MAIN))
    assert project.output_of() == ["7.000"]


def test_common_symbols(project: Project) -> None:
    main = MAIN.replace("return 0", "return shared != 5").replace("int main", "int shared; void set(void);\nint main")
    main = main.replace("printf", "set(); printf")
    square = "int shared; double square(double x) { return x * x + 0 * shared; }"
    setter = "int shared; void set(void) { shared = 5; }"
    project.link(
        project.compile("main.c", main, "-fcommon"),
        project.compile("square.c", square, "-fcommon"),
        project.native("set.c", setter, "-fcommon"),
    )
    assert project.output_of() == ["6.000"]


def test_comdat_shared_with_native_code(project: Project) -> None:
    header = "struct Counter { int n = 0; }; inline Counter &counter() { static Counter c; return c; }\n"
    main = header + (
        '#include <cstdio>\nextern "C" double __enzyme_autodiff(void *, double); extern "C" double square(double);\n'
        "void count(); int main() { count(); counter().n++;"
        'std::printf("%.3f %d\\n", __enzyme_autodiff((void *)square, 3.0), counter().n); }'
    )
    project.link(
        project.compile("main.cpp", main),
        project.compile("square.c", SQUARE),
        project.native("count.cpp", header + "void count() { counter().n++; }"),
        "-lstdc++",
    )
    assert project.output_of() == ["6.000", "2"]


def test_thread_local_shared_with_native_code(project: Project) -> None:
    main = MAIN.replace("return 0", "return level != 4").replace("printf", "raise(); printf")
    main = "_Thread_local int level = 1; void raise(void);" + main
    project.link(
        project.compile("main.c", main),
        project.compile("square.c", SQUARE),
        project.native("raise.c", "extern _Thread_local int level; void raise(void) { level += 3; }"),
    )
    assert project.output_of() == ["6.000"]


def test_constructors_run_in_link_order(project: Project) -> None:
    constructor = '#include <stdio.h>\n__attribute__((constructor)) static void start(void) {{ puts("{}"); }}\n'
    project.link(
        project.compile("main.c", constructor.format("first") + MAIN),
        project.compile("square.c", constructor.format("second") + SQUARE),
    )
    assert project.output_of() == ["first", "second", "6.000"]


def test_used_entry_of_a_linker_set_stays(project: Project) -> None:
    entry = (
        '#include <stdio.h>\ntypedef void (*hook)(void);\nstatic void {0}(void) {{ puts("{0}"); }}\n'
        '__attribute__((used, section("my_set"))) static const hook entry = {0};\n'
    )
    run = "extern const hook __start_my_set[], __stop_my_set[];\n" + MAIN.replace(
        "{ printf", "{ for (const hook *h = __start_my_set; h < __stop_my_set; h++) (*h)(); printf"
    )
    project.link(
        project.compile("main.c", entry.format("first") + run),
        project.compile("square.c", SQUARE),
        project.native("native.c", entry.format("second")),
    )
    assert project.output_of() == ["first", "second", "6.000"]


def test_native_part_of_an_archive(project: Project) -> None:
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    members = [
        project.compile("square.c", SQUARE),
        project.native("unused.c", "int unused(void) { return missing(); }", "-w"),
        project.native("other.c", "int other(void) { return 0; }"),
    ]
    project.link(project.compile("main.c", main), project.archive("libmixed.a", *members))
    assert project.output_of() == ["6.000"]


def test_native_code_calls_back(project: Project) -> None:
    """A native unit refers to a merged archive member: the member must neither vanish nor be linked twice."""
    square = '#include <stdio.h>\nint loads; __attribute__((constructor)) void load(void) { printf("load "); }\n'
    library = project.archive("libsquare.a", project.compile("square.c", square + SQUARE))
    main = MAIN.replace("return 0", "return call() != 25").replace("int main", "int call(void);\nint main")
    call = project.native("call.c", "double square(double); int call(void) { return (int)square(5); }")
    project.link(project.compile("main.c", main), call, library)
    assert project.output_of() == ["load", "6.000"]


def test_thin_archive(project: Project) -> None:
    square = project.compile("sub/square.c", SQUARE)
    project.archive("libsquare.a", square, project.native("sub/b.c", "int b;"), flags="rcsT")
    project.link(project.compile("main.c", MAIN), "libsquare.a")
    assert project.output_of() == ["6.000"]


@pytest.mark.parametrize("inner", ["rcs", "rcsT"])
@pytest.mark.parametrize("linker", [ld for ld in LINKERS if ld in ("ld.bfd", "ld.gold")])
def test_archive_in_a_thin_archive(project: Project, inner: str, linker: str) -> None:
    """GNU ar lists the inner members, by their places; lld reads no such archives."""
    project.linker = shutil.which(linker) or linker
    members = project.compile("sub/square.c", SQUARE), project.native("sub/b.c", "int b = 0;")
    project.archive("sub/libinner.a", *members, flags=inner)
    project.archive("libouter.a", "sub/libinner.a", flags="rcsT")
    main = MAIN.replace("return 0", "return b").replace("int main", "extern int b;\nint main")
    project.link(project.compile("main.c", main), "libouter.a")
    assert project.output_of() == ["6.000"]


def test_thin_archive_from_another_directory(project: Project) -> None:
    project.compile("sub/square.c", SQUARE)
    project.archive("sub/libsquare.a", "sub/square.o", flags="rcsT")
    project.link(project.compile("main.c", MAIN), "-Lsub", "-lsquare")
    assert project.output_of() == ["6.000"]


def test_whole_archive(project: Project) -> None:
    speak = '#include <stdio.h>\n__attribute__((constructor)) static void speak(void) { puts("here"); }'
    speaker = project.compile("unused.c", speak)
    library = project.archive(
        "libwhole.a", project.compile("square.c", SQUARE), speaker, project.native("n.c", "int n;")
    )
    project.link(project.compile("main.c", MAIN), "-Wl,--whole-archive", library, "-Wl,--no-whole-archive")
    assert project.output_of() == ["here", "6.000"]


def test_whole_archive_of_merged_units_only(project: Project) -> None:
    library = project.archive("libwhole.a", project.compile("square.c", SQUARE))
    project.link(project.compile("main.c", MAIN), "-Wl,--whole-archive", library, "-Wl,--no-whole-archive")
    assert project.output_of() == ["6.000"]


def test_group_of_archives_that_need_each_other(project: Project) -> None:
    first = "double half(double); double square(double x) { return half(x) * x; }"
    second = "double two(void); double half(double x) { return two() * x; }"
    project.archive("liba.a", project.compile("a.c", first), project.compile("two.c", "double two(void) { return 2; }"))
    project.archive("libb.a", project.compile("b.c", second))
    project.link(project.compile("main.c", MAIN), "-Wl,--start-group", "liba.a", "libb.a", "-Wl,--end-group")
    assert project.output_of() == ["12.000"]


def test_linker_script_input(project: Project) -> None:
    project.compile("square.c", SQUARE)
    project.write("libscript.a", "/* a script */ INPUT(square.o)\n")
    project.link(project.compile("main.c", MAIN), "-L.", "-lscript")
    assert project.output_of() == ["6.000"]


def test_linker_script_group(project: Project) -> None:
    project.archive("libreal.a", project.compile("square.c", SQUARE))
    project.write("libscript.so", "GROUP ( libreal.a AS_NEEDED ( -lm ) )\n")
    project.link(project.compile("main.c", MAIN), "-L.", "-lscript")
    assert project.output_of() == ["6.000"]


def test_script_found_along_the_library_path(project: Project) -> None:
    """A symbol that only a script names stays, also where -L tells where the script is."""
    project.write("scripts/names.ld", "SECTIONS { other_square = square; } INSERT AFTER .text;\n")
    main = MAIN.replace("return 0", "return call() != 25").replace("int main", "int call(void);\nint main")
    call = project.native("call.c", "double other_square(double); int call(void) { return (int)other_square(5); }")
    units = [project.compile("main.c", main), project.compile("square.c", SQUARE), call]
    project.link(*units, "-Lscripts", "-Wl,-T,names.ld")
    assert project.output_of() == ["6.000"]


def test_library_by_exact_name(project: Project) -> None:
    project.archive("square-1.a", project.compile("square.c", SQUARE))
    project.link(project.compile("main.c", MAIN), "-L.", "-l:square-1.a")
    assert project.output_of() == ["6.000"]


def test_shared_library(project: Project) -> None:
    code = "double __enzyme_autodiff(void *, double); double square(double);"
    code += "double slope(double x) { return __enzyme_autodiff((void *)square, x); }"
    project.link(
        "-shared", project.compile("slope.c", code, "-fPIC"), project.compile("square.c", SQUARE, "-fPIC"),
        output="libslope.so",
    )  # fmt: skip
    main = '#include <stdio.h>\ndouble slope(double); int main(void) { printf("%.3f\\n", slope(3)); }'
    project.link(project.compile("main.c", main), "-L.", "-lslope")
    assert project.output_of() == ["6.000"]


def test_executable_symbol_seen_by_a_shared_library(project: Project) -> None:
    project.native("library.c", "int hook(void); int call(void) { return hook(); }", "-fPIC")
    project.run("gcc", "-shared", "library.o", "-o", "libcall.so")
    main = "int hook(void) { return 0; }" + MAIN.replace("return 0", "return call()").replace(
        "int main", "int call(void);\nint main"
    )
    project.link(project.compile("main.c", main), project.compile("square.c", SQUARE), "-L.", "-lcall")
    assert project.output_of() == ["6.000"]


def test_relocatable_keeps_requests_for_the_final_link(project: Project) -> None:
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    project.link("-r", "-nostdlib", *units, output="both.o")
    assert ".enzybc" in project.sections("both.o")
    project.link("both.o")
    assert project.output_of() == ["6.000"]


@pytest.mark.parametrize(
    "script",
    [
        "V1 { global: slope; /* a* */ local: *; };",
        "V1 { global: slope; local: f*; };",
        "V1 { global: sl*; local: *; };",
        'V1 { global: extern "C" { slope; }; local: *; };',
    ],
)
def test_version_script(project: Project, script: str) -> None:
    code = "double __enzyme_autodiff(void *, double); double square(double x) { return x * x; }"
    code += "double slope(double x) { return __enzyme_autodiff((void *)square, x); }"
    project.write("map", script)
    project.link("-shared", "-Wl,--version-script=map", project.compile("slope.c", code, "-fPIC"), output="libslope.so")
    exported = project.run("nm", "-D", "--defined-only", "libslope.so")
    assert "slope@@V1" in exported


def test_response_file(project: Project) -> None:
    units = [project.compile("main.c", MAIN), project.compile("with space.c", SQUARE)]
    project.write("arguments", "\n".join(f'"{unit}"' for unit in units))
    project.link("-Wl,@arguments")
    assert project.output_of() == ["6.000"]


@pytest.mark.parametrize("mode", [["-pie", "-fPIE"], ["-no-pie", "-fno-pic"], ["-static"], ["-static-pie", "-fPIE"]])
def test_mode(project: Project, mode: list[str]) -> None:
    flags = mode[1:]
    project.link(mode[0], project.compile("main.c", MAIN, *flags), project.compile("square.c", SQUARE, *flags))
    assert project.output_of() == ["6.000"]


def test_wrap(project: Project) -> None:
    wrapped = "double __real_inner(double); double __wrap_inner(double x) { return 10 * __real_inner(x); }"
    project.link(
        "-Wl,--wrap=inner",
        project.compile("main.c", MAIN),
        project.compile("square.c", "double inner(double); double square(double x) { return inner(x); }"),
        project.compile("inner.c", "double inner(double x) { return 2 * x; }"),
        project.compile("wrap.c", wrapped),
    )
    assert project.output_of() == ["20.000"]


def test_first_of_multiple_definitions(project: Project) -> None:
    project.link(
        "-Wl,--allow-multiple-definition",
        project.compile("main.c", MAIN),
        project.compile("first.c", SQUARE),
        project.compile("second.c", SQUARE.replace("x * x", "9 * x") + "int unused;"),
    )
    assert project.output_of() == ["6.000"]


def test_archive_member_after_first_definition(project: Project) -> None:
    project.archive("liba.a", project.compile("a.c", SQUARE))
    project.archive("libb.a", project.compile("b.c", SQUARE.replace("x * x", "9 * x")))
    project.link(project.compile("main.c", MAIN), "liba.a", "libb.a")
    assert project.output_of() == ["6.000"]


def test_undefined_option_pulls_a_native_user(project: Project) -> None:
    member = project.native("extra.c", "double square(double); double extra(void) { return square(2); }")
    project.archive("libextra.a", member)
    project.link("-Wl,-u,extra", project.compile("main.c", MAIN), project.compile("square.c", SQUARE), "libextra.a")
    assert "extra" in project.run("nm", "program")


def test_function_passed_through_another_unit(project: Project) -> None:
    helper = "double __enzyme_autodiff(void *, double);"
    helper += "double slope(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }"
    main = "#include <stdio.h>\ndouble square(double), slope(double (*)(double), double);"
    main += 'int main(void) { printf("%.3f\\n", slope(square, 3)); }'
    project.link(
        project.compile("main.c", main), project.compile("helper.c", helper), project.compile("square.c", SQUARE)
    )
    assert project.output_of() == ["6.000"]


def test_two_requests_are_not_merged_into_one(project: Project) -> None:
    code = """
#include <stdio.h>
double __enzyme_autodiff(void *, double);
double square(double);
static double twice(double x) { return 2 * x; }
int main(int argc, char **argv) {
    double d;
    if (argc > 1) d = __enzyme_autodiff((void *)twice, 3.0); else d = __enzyme_autodiff((void *)square, 3.0);
    printf("%.3f\\n", d);
}
"""
    project.link(project.compile("main.c", code), project.compile("square.c", SQUARE))
    assert project.output_of() == ["6.000"]


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
def test_optimisation_level(project: Project, level: str) -> None:
    project.link(project.compile("main.c", MAIN, level), project.compile("square.c", SQUARE, level))
    assert project.output_of() == ["6.000"]


@pytest.mark.parametrize("strict", [False, True])
def test_strict_math(project: Project, strict: bool) -> None:
    """The adjoint's additions may be reordered, unless the user wants them as they are."""
    enzyme = ["--enzyme-save-temps=temps", *(["--enzyme-strict-math"] if strict else [])]
    project.link(project.compile("main.c", MAIN), project.compile("square.c", SQUARE), enzyme=enzyme)
    text = (project.path / "temps" / "diff.ll").read_text()
    (gradient,) = re.findall(r"^define .*@__ez_gradient\.square\(.*?^}", text, re.M | re.S)
    assert "fadd" in gradient and ("reassoc" in gradient) is not strict
    assert project.output_of() == ["6.000"]


def test_without_preoptimisation(project: Project) -> None:
    units = [project.compile("main.c", MAIN, "-O0"), project.compile("square.c", SQUARE, "-O0")]
    project.link(*units, enzyme=["--enzyme-no-preopt"])
    assert project.output_of() == ["6.000"]


def test_user_lto(project: Project) -> None:
    units = [project.compile(n, text, "-flto", embed=False) for n, text in [("main.c", MAIN), ("square.c", SQUARE)]]
    project.linker = shutil.which("ld.lld-22") or project.linker
    project.link("-flto", *units)
    assert project.output_of() == ["6.000"]


def test_library_is_read_at_function_granularity(project: Project) -> None:
    """A unit that only main needs stays native: its constructor's code is its own."""
    main = MAIN.replace("return 0", "return other()").replace("int main", "int other(void);\nint main")
    project.link(
        project.compile("main.c", main),
        project.compile("square.c", SQUARE),
        project.compile("other.c", "int other(void) { return 0; }"),
        enzyme=["--enzyme-save-temps=saved"],
    )
    merged = (project.path / "saved" / "merged.ll").read_text()
    assert re.search(r"^define internal .*@square", merged, re.M)
    assert "declare i32 @other" in merged


def test_registered_function_is_opaque_before_differentiation(project: Project) -> None:
    code = SQUARE + "void gradient(void) {} void *__enzyme_register_derivative_square[] = {square, gradient};"
    project.link(
        project.compile("main.c", MAIN.replace("square(double)", "call(double)").replace(")square", ")call")),
        project.compile("call.c", "double square(double); double call(double x) { return square(x); }"),
        project.compile("square.c", code),
        enzyme=["--enzyme-save-temps=saved"],
    )
    assert re.search(r"call double @square\(", (project.path / "saved" / "preopt.ll").read_text())
    assert "__enzyme_register" not in (project.path / "saved" / "final.ll").read_text()


def test_marker_is_not_folded_before_differentiation(project: Project) -> None:
    """A global that looks like a marker is opaque to the optimiser before, and what it was afterwards."""
    main = "int enzyme_used = 4;" + MAIN.replace("return 0", "return enzyme_used - 4")
    project.link(
        project.compile("main.c", main), project.compile("square.c", SQUARE), enzyme=["--enzyme-save-temps=saved"]
    )
    text = (project.path / "saved" / "preopt.ll").read_text()
    assert re.search(r"@enzyme_used = external (local_unnamed_addr )?constant i32", text)
    assert project.output_of() == ["6.000"]


def test_inline_copy_of_a_function_defined_elsewhere(project: Project) -> None:
    """C's extern inline: the bitcode has a body that LLVM may drop, native code does not need the original."""
    inline = "extern inline __attribute__((gnu_inline)) double twice(double x) { return 2 * x; }\n"
    square = inline + "double square(double x) { return twice(x) * x; }"
    project.link(project.compile("main.c", MAIN), project.compile("square.c", square, "-O2"))
    assert project.output_of() == ["12.000"]


def test_member_that_only_bitcode_needs(project: Project) -> None:
    """Native code folded the call away; the bitcode, not optimised yet, still has it, and so has the derivative."""
    square = "double pick(int); double square(double x) { double zero = 0; return x * x + (zero ? pick(3) : 0); }"
    project.archive("libpick.a", project.compile("pick.c", "double pick(int i) { return i; }"))
    project.link(project.compile("main.c", MAIN), project.compile("square.c", square, "-O2"), "libpick.a")
    assert project.output_of() == ["6.000"]
