"""Which values are active and which pointers have a shadow, on the smallest functions that show it."""

from __future__ import annotations

from enzyme_cc.analysis.activity.activity import ArgumentActivity, GlobalState, ResultActivity

from .inputs import Input, names

ACTIVE, SHADOW = ResultActivity.ACTIVE, ResultActivity.SHADOW


def test_a_value_is_active_if_it_is_varied_and_useful() -> None:
    f = Input(
        """
define double @f(double %x, double %c) {
  %varied = fmul double %x, 2.0
  %useful = fmul double %c, 3.0
  %both = fadd double %x, %useful
  ret double %both
}""",
        "out const",
        ACTIVE,
    )
    assert names(f.activity.varied) == {"x", "varied", "both"}
    assert f.active == {"x", "both"}


def test_nothing_is_useful_without_an_active_result() -> None:
    f = Input("define double @f(double %x) {\n %y = fneg double %x\n ret double %y\n}", "out")
    assert names(f.activity.varied) == {"x", "y"} and f.active == set()


def test_an_integer_that_is_computed_ends_the_dependence() -> None:
    f = Input(
        """
define double @f(double %x) {
  %n = fptosi double %x to i32
  %y = sitofp i32 %n to double
  ret double %y
}""",
        "out",
        ACTIVE,
    )
    assert "n" not in names(f.activity.varied)


def test_an_integer_that_carries_the_bits_is_varied() -> None:
    f = Input(
        """
define double @f(double %x) {
  %bits = bitcast double %x to i64
  %y = bitcast i64 %bits to double
  ret double %y
}""",
        "out",
        ACTIVE,
    )
    assert f.active == {"x", "bits", "y"}


def test_a_load_through_a_pointer_with_a_shadow_is_varied() -> None:
    f = Input(
        """
define double @f(ptr %p, ptr %q) {
  %a = load double, ptr %p
  %b = load double, ptr %q
  %y = fadd double %a, %b
  ret double %y
}""",
        "dup const",
        ACTIVE,
    )
    assert f.active == {"a", "y"}


def test_memory_made_here_gets_a_shadow_when_something_varied_is_stored() -> None:
    f = Input(
        """
define double @f(double %x) {
  %used = alloca double
  %unused = alloca double
  store double %x, ptr %used
  store double 1.0, ptr %unused
  %y = load double, ptr %used
  %z = load double, ptr %unused
  %r = fadd double %y, %z
  ret double %r
}""",
        "out",
        ACTIVE,
    )
    assert names(f.activity.objects) == {"used"}
    assert f.active == {"x", "y", "r"}


def test_a_malloc_whose_pointer_is_stored_in_memory_with_a_shadow_gets_one() -> None:
    f = Input(
        """
declare ptr @malloc(i64)
define void @f(ptr %out) {
  %block = call ptr @malloc(i64 8)
  store ptr %block, ptr %out
  ret void
}""",
        "dup",
    )
    assert names(f.activity.objects) == {"block"}
    assert not f.found.constant_pointer_stored


def test_a_constant_pointer_stored_where_shadows_are_expected_is_reported() -> None:
    text = "define void @f(ptr %out, ptr %p) {\n store ptr %p, ptr %out\n ret void\n}"
    assert Input(text, "dup const").found.constant_pointer_stored
    assert not Input(text, "dup dup").found.constant_pointer_stored


def test_a_global_is_active_once_something_varied_is_stored_in_it() -> None:
    text = """
@g = global double 0.0
define double @f(double %x) {
  store double %x, ptr @g
  %y = load double, ptr @g
  ret double %y
}"""
    f = Input(text, "out", ACTIVE)
    assert f.found.active_globals == {"@g"} and f.active == {"x", "y"}
    inactive = Input(text, "out", ACTIVE, state=GlobalState(inactive_globals=frozenset(["@g"])))
    assert inactive.found.active_globals == set() and "y" not in inactive.active


def test_what_an_analysis_found_is_joined_with_the_state() -> None:
    text = "@g = global double 0.0\ndefine void @f(double %x) {\n store double %x, ptr @g\n ret void\n}"
    state = GlobalState()
    assert state.joined(Input(text, "out", state=state).found).active_globals == {"@g"}


def test_a_call_of_a_function_that_uses_an_active_global_is_active() -> None:
    text = """
@g = global double 0.0
define double @read() {
  %v = load double, ptr @g
  ret double %v
}
define double @f() {
  %y = call double @read()
  ret double %y
}"""
    uses = {"@read": frozenset(["@g"])}
    assert Input(text, "", ACTIVE, globals_of=uses).active == set()
    assert Input(text, "", ACTIVE, globals_of=uses, state=GlobalState(frozenset(["@g"]))).active == {"y"}


def test_a_pointer_result_has_a_shadow_if_it_is_stored_with_one() -> None:
    f = Input(
        """
define ptr @pick(ptr %p) {
  ret ptr %p
}
define double @f(ptr %p) {
  %q = call ptr @pick(ptr %p)
  %y = load double, ptr %q
  ret double %y
}""",
        "dup",
        ACTIVE,
    )
    assert names(f.activity.shadow_results) == {"q"} and f.active == {"y"}
    assert f.activity.argument_activity(f.value("p")) is ArgumentActivity.DUP


def test_a_returned_pointer_needs_a_shadow_if_the_caller_expects_one() -> None:
    text = "declare ptr @malloc(i64)\ndefine ptr @f() {\n %p = call ptr @malloc(i64 8)\n ret ptr %p\n}"
    assert names(Input(text, "", SHADOW).activity.objects) == {"p"}
    assert not Input(text, "").activity.objects


def test_an_inactive_function_has_no_varied_result() -> None:
    text = """
declare double @table(double)
define double @f(double %x) {
  %y = call double @table(double %x)
  ret double %y
}"""
    f = Input(text, "out", ACTIVE, inactive=frozenset(["@table"]))
    assert "y" not in names(f.activity.varied) and not f.activity.active_calls
    unknown = Input(text, "out", ACTIVE)
    assert names(unknown.activity.active_calls) == {"y"}, "a later check refuses it"


def test_a_pointer_found_in_an_operand_has_a_shadow_if_the_operand_has() -> None:
    text = """
declare ptr @memchr(ptr, i32, i64)
define ptr @f(ptr %p) {
  %q = call ptr @memchr(ptr %p, i32 0, i64 8)
  ret ptr %q
}"""
    assert Input(text, "dup").activity.shadowed(Input(text, "dup").value("q")) is False, "another function's value"
    f = Input(text, "dup")
    assert f.activity.shadowed(f.value("q"))


def test_paths_that_never_return_carry_nothing() -> None:
    f = Input(
        """
declare void @abort() noreturn
define double @f(double %x, i1 %bad) {
entry:
  br i1 %bad, label %fail, label %good
fail:
  %lost = fmul double %x, 2.0
  call void @abort()
  unreachable
good:
  ret double %x
}""",
        "out const",
        ACTIVE,
    )
    assert "lost" not in names(f.activity.varied)


def test_the_reverse_sweep_works_at_active_values_and_at_writes_to_shadowed_memory() -> None:
    f = Input(
        """
define void @f(ptr %p, ptr %q, double %x) {
  %y = fmul double %x, %x
  store double %y, ptr %p
  store double %x, ptr %q
  ret void
}""",
        "dup const out",
    )
    work = [i for i in f.function.instructions() if f.activity.has_reverse_work(i)]
    assert [i.opcode for i in work] == ["fmul", "store"]
    assert work[1].operands[1] is f.value("p")
