"""What compiler options put into a unit, and what is left of it."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.link.merged_module import hindrances
from enzyme_cc.link.merged_module.hindrances import uses_modes

from .conftest import Project

#: attributes of -O0, as clang writes them
UNOPTIMISED = 'noinline nounwind optnone uwtable "frame-pointer"="all"'


def without(text: str, with_modes: bool) -> str:
    """The text after the passes of a unit that take hindrances out."""
    for take_out in (
        hindrances.without_blanket_noinline,
        hindrances.without_attributes,
        hindrances.without_exact_rounding_modes,
        hindrances.without_fake_uses,
        hindrances.with_open_checks,
    ):
        text = take_out(text)
    return text if with_modes else hindrances.without_rounding_modes(text)


def without_hindrances(text: str) -> str:
    return without(text, with_modes=True)


def attributes(text: str) -> list[str]:
    return [found.strip() for found in re.findall(r"attributes #\d+ = \{ (.*)\}", text)]


@pytest.mark.parametrize(
    ("call", "instruction"),
    [
        (
            'tail call i1 @llvm.experimental.constrained.fcmp.f64(double %a, double 1.0, metadata !"oeq", '
            'metadata !"fpexcept.strict") #1, !dbg !7',
            "fcmp oeq double %a, 1.0, !dbg !7",
        ),
        (
            "call <2 x i1> @llvm.experimental.constrained.fcmps.v2f32(<2 x float> <float 1.0, float 2.0>, "
            '<2 x float> %b, metadata !"ult", metadata !"fpexcept.ignore")',
            "fcmp ult <2 x float> <float 1.0, float 2.0>, %b",
        ),
        (
            'call double @llvm.experimental.constrained.sitofp.f64.i32(i32 %n, metadata !"round.dynamic", '
            'metadata !"fpexcept.strict") #1',
            "sitofp i32 %n to double",
        ),
        (
            "call <2 x i64> @llvm.experimental.constrained.fptoui.v2i64.v2f64(<2 x double> <double 1.0, double %x>, "
            'metadata !"fpexcept.strict") #1',
            "fptoui <2 x double> <double 1.0, double %x> to <2 x i64>",
        ),
        (
            'call x86_fp80 @llvm.experimental.constrained.fpext.f80.f64(double %x, metadata !"fpexcept.strict")',
            "fpext double %x to x86_fp80",
        ),
        (
            'call double @llvm.experimental.constrained.floor.f64(double %x, metadata !"fpexcept.strict") #1',
            "call double @llvm.floor.f64(double %x)",
        ),
        (
            'tail call nsz double @llvm.experimental.constrained.sin.f64(double %x, metadata !"round.dynamic", '
            'metadata !"fpexcept.strict") #1',
            "call nsz double @llvm.sin.f64(double %x)",
        ),
    ],
)
def test_what_does_not_round_loses_its_rounding_mode(call: str, instruction: str) -> None:
    assert without_hindrances(f"  %1 = {call}\n") == f"  %1 = {instruction}\n"


@pytest.mark.parametrize(
    ("call", "instruction"),
    [
        (
            "tail call fast double @llvm.experimental.constrained.fadd.f64(double %a, double 0x3FF, "
            'metadata !"round.dynamic", metadata !"fpexcept.strict") #1, !dbg !3',
            "fadd fast double %a, 0x3FF, !dbg !3",
        ),
        (
            "call <2 x float> @llvm.experimental.constrained.fdiv.v2f32(<2 x float> <float 1.0, float 2.0>, "
            '<2 x float> <float 3.0, float 4.0>, metadata !"round.dynamic", metadata !"fpexcept.ignore")',
            "fdiv <2 x float> <float 1.0, float 2.0>, <float 3.0, float 4.0>",
        ),
        (
            'call float @llvm.experimental.constrained.fptrunc.f32.f64(double %x, metadata !"round.dynamic", '
            'metadata !"fpexcept.strict") #1',
            "fptrunc double %x to float",
        ),
        (
            "call contract double @llvm.experimental.constrained.fmuladd.f64(double %a, double %b, double %c, "
            'metadata !"round.dynamic", metadata !"fpexcept.strict") #1',
            "call contract double @llvm.fmuladd.f64(double %a, double %b, double %c)",
        ),
        (
            'call i64 @llvm.experimental.constrained.lrint.i64.f64(double %x, metadata !"round.dynamic", '
            'metadata !"fpexcept.strict") #1',
            "call i64 @llvm.lrint.i64.f64(double %x)",
        ),
    ],
)
def test_what_rounds_keeps_its_rounding_mode_where_the_program_sets_it(call: str, instruction: str) -> None:
    assert without(f"  %1 = {call}\n", with_modes=True) == f"  %1 = {call}\n"
    assert without(f"  %1 = {call}\n", with_modes=False) == f"  %1 = {instruction}\n"


def test_units_that_set_modes_without_functions_are_known() -> None:
    assert uses_modes("call void @llvm.x86.sse.ldmxcsr(ptr %state)")
    assert uses_modes('call void asm sideeffect "fldcw $0", "*m"(ptr %word)')
    assert uses_modes("call void @llvm.set.rounding(i32 1)")
    assert not uses_modes("%1 = call i32 @llvm.get.rounding()")


@pytest.mark.parametrize("compiler", ["enzyme", "native"])
@pytest.mark.parametrize("mode", ["FE_UPWARD", ""])
def test_modes_matter_where_any_unit_sets_them(project: Project, compiler: str, mode: str) -> None:
    """The sum of two modes would be computed once."""
    strange = "#include <fenv.h>\nvoid set(int up) { fesetround(up ? FE_UPWARD : FE_DOWNWARD); }"
    set_mode = strange if mode else "void set(int up) { (void)up; }"
    source = """
        #include <stdio.h>
        double __enzyme_autodiff(void *, double);
        void set(int);
        static double square(double x) { return x * x; }
        int main(int argc, char **argv) {
            double third = argc / 3.0;
            set(1);
            double above = third + 1e-20;
            set(0);
            double below = third + 1e-20;
            printf("%.3f %d\\n", __enzyme_autodiff((void *)square, 3.0), above > below);
        }
    """
    make = project.compile if compiler == "enzyme" else project.native
    main = project.compile("main.c", source, "-O2", "-frounding-math")
    project.link(main, make("mode.c", set_mode), "-lm")
    assert project.output_of() == ["6.000", str(int(bool(mode)))]


def test_attributes_that_hide_numbers_are_dropped() -> None:
    text = 'attributes #0 = { nounwind optsize uwtable "no-builtin-memcpy" }\n'
    assert attributes(without_hindrances(text)) == ["nounwind uwtable"]
    assert without_hindrances("attributes #0 = { minsize }\n") == 'attributes #0 = { "enzyme-none" }\n'


def test_variables_are_not_kept_alive_for_debuggers() -> None:
    text = "  notail call void (...) @llvm.fake.use(i64 %word), !dbg !3\n  ret void\n"
    assert without_hindrances(text) == "  ret void\n"


def test_functions_are_strict_where_modes_matter() -> None:
    """LLVM's back end then computes nothing across a call that may set the mode."""
    text = "attributes #0 = { nounwind strictfp uwtable }\nattributes #1 = { strictfp }\n"
    assert without(text, with_modes=True) == text
    assert attributes(without(text, with_modes=False)) == ["nounwind uwtable", '"enzyme-none"']


def test_copies_with_checks_have_bodies() -> None:
    text = without_hindrances("declare !dbg !6 ptr @__memcpy_chk(ptr noundef, ptr noundef, i64 noundef, i64) #1\n")
    assert "define internal ptr @__memcpy_chk(ptr %to, ptr %from, i64 %size, i64 %room) alwaysinline {" in text
    assert "declare void @__chk_fail() cold noreturn nounwind" in text
    again = without_hindrances("declare void @__chk_fail()\ndeclare ptr @__memset_chk(ptr, i32, i64, i64)\n")
    assert again.count("declare void @__chk_fail()") == 1


@pytest.mark.parametrize("flags", [("-O2",), ("-O2", "-g"), ("-O3", "-fPIC")], ids=" ".join)
def test_checked_copies_still_check(project: Project, flags: tuple[str, ...]) -> None:
    source = """
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        double __enzyme_autodiff(void *, double *, double *);
        static double key[4];
        static int n;
        double f(double *x) {
            double t[4];
            memset(t, 0, (size_t)n * 8);
            memcpy(key, x, (size_t)n * 8);
            memmove(t, key, (size_t)n * 8);
            char *end = mempcpy(t, key, (size_t)n * 8);
            return t[0] * t[1] + (double)(end - (char *)t) * x[1];
        }
        int main(int argc, char **argv) {
            double x[9] = {2, 3}, dx[9] = {0};
            n = argc > 1 ? atoi(argv[1]) : 2;
            __enzyme_autodiff((void *)f, x, dx);
            printf("%g %g\\n", dx[0], dx[1]);
        }
    """
    project.link(project.compile("main.c", source, "-D_GNU_SOURCE", "-D_FORTIFY_SOURCE=3", *flags))
    assert project.output_of() == ["3", "18"]
    assert project.try_run("./program", "5").status == -6  # SIGABRT


def test_operators_of_cxx_stay_calls_without_the_option() -> None:
    text = "attributes #0 = { nobuiltin allocsize(0) }\n"
    assert without_hindrances(text) == text
    assert attributes(without_hindrances('attributes #0 = { nobuiltin nounwind "no-builtins" }\n')) == ["nounwind"]


def test_functions_of_unoptimised_units_are_inlined() -> None:
    text = f"define void @f() #0 {{\n  ret void\n}}\nattributes #0 = {{ {UNOPTIMISED} }}\n"
    assert attributes(without_hindrances(text)) == ['nounwind uwtable "frame-pointer"="all"']


def test_functions_that_the_user_keeps_apart_stay_so() -> None:
    """One that is not `noinline` tells that no option asked for it."""
    text = (
        "define void @f() #0 {\n  ret void\n}\ndefine void @g() #1 {\n  ret void\n}\n"
        'attributes #0 = { noinline "frame-pointer"="all" }\nattributes #1 = { "frame-pointer"="all" }\n'
    )
    assert without_hindrances(text) == text


def test_units_whose_templates_are_all_kept_apart_are_inlined() -> None:
    """-fno-inline for C++, where code is optimised (TBAA tells)."""
    text = (
        "define linkonce_odr void @t() #0 {\n  ret void\n}\ndefine void @f() #1 {\n  ret void\n}\n"
        "attributes #0 = { mustprogress noinline }\nattributes #1 = { mustprogress }\n; !tbaa\n"
    )
    assert attributes(without_hindrances(text)) == ["mustprogress", "mustprogress"]


def test_one_class_of_data() -> None:
    classes = (
        '!1 = !{!"Flang function root _QPs"}\n'
        '!2 = !{!"any access", !1, i64 0}\n'
        '!3 = !{!"any data access", !2, i64 0}\n'
        '!4 = !{!"allocated data", !3, i64 0}\n'
        '!5 = !{!"allocated data/a", !4, i64 0}\n'
        '!6 = !{!"descriptor member", !2, i64 0}\n'
    )
    widened = hindrances.with_one_class_of_data(classes)
    data = '!{!"any data access", !2, i64 0}'
    assert re.findall(r"(!\d) = (.*)", widened)[2:] == [
        ("!3", data),
        ("!4", data),
        ("!5", data),
        ("!6", '!{!"descriptor member", !2, i64 0}'),
    ]
    assert hindrances.with_one_class_of_data(classes.replace("Flang function root", "Simple C")).count(data) == 1
