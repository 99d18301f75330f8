"""Alias and mod/ref facts: which loads stay intact, and which pairs of pointers cannot meet."""

from __future__ import annotations

import pytest

from enzyme_cc.analysis.memory.facts import ANY, MemoryFacts, ObjectKind
from enzyme_cc.ir.values import Instruction

from .support import LEVELS, Analysed, from_c

levels = pytest.mark.parametrize("level", LEVELS)
with_tbaa = pytest.mark.parametrize("level", LEVELS[1:])


def facts(a: Analysed, name: str) -> MemoryFacts:
    return MemoryFacts(a.module, a.function(name), a.flow(name), a.types)


def overwritten(source: str, level: str = "-O2", name: str = "f", type_: str = "double") -> list[bool]:
    """For each load of the type in the function, in order: may it be overwritten later?"""
    a = from_c(source, level)
    m = facts(a, name)
    return [m.overwritten_after(i) is not None for i in a.all(name, "load") if str(i.type) == type_]


def named(a: Analysed, name: str = "f") -> dict[str, Instruction]:
    return {i.name: i for i in a.function(name).instructions() if i.name}


# -- loads that stay as they are


@levels
def test_loads_of_a_function_that_writes_nothing(level: str) -> None:
    source = """
struct V { long n, stride; double *data; };
double f(struct V *a, struct V *b) {
  double s = 0;
  for (long i = 0; i < a->n; i++) s += a->data[i * a->stride] * b->data[i * b->stride];
  return s;
}"""
    assert not any(overwritten(source, level)) and not any(overwritten(source, level, type_="ptr"))


@with_tbaa
def test_doubles_do_not_overwrite_the_struct_that_points_to_them(level: str) -> None:
    source = """
struct V { long n, stride; double *data; };
void f(struct V *v, double k) { for (long i = 0; i < v->n; i++) v->data[i * v->stride] *= k; }"""
    assert not any(overwritten(source, level, type_="i64") + overwritten(source, level, type_="ptr"))
    assert overwritten(source, level) == [True]


@levels
def test_restrict_arguments(level: str) -> None:
    source = "void f(double *restrict y, const double *restrict x, int n) { for (int i = 0; i < n; i++) y[i] += x[i]; }"
    assert sorted(overwritten(source, level)) == [False, True]


@levels
def test_arguments_that_may_be_the_same(level: str) -> None:
    source = "void f(double *y, const double *x, int n) { for (int i = 0; i < n; i++) y[i] += x[i]; }"
    assert all(overwritten(source, level))


@levels
def test_own_heap_block_against_an_argument(level: str) -> None:
    source = """
#include <stdlib.h>
double f(const double *x, int n) {
  double *y = malloc(8 * n), s = 0;
  for (int i = 0; i < n; i++) y[i] = x[i] * x[n - 1 - i];
  for (int i = 0; i < n; i++) s += y[i] * y[n - 1 - i];
  free(y);
  return s;
}"""
    assert not any(overwritten(source, level))


@levels
def test_rows_on_the_heap_do_not_overwrite_the_array_of_rows(level: str) -> None:
    source = """
#include <stdlib.h>
double f(double x, int n) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i] = malloc(n * sizeof **a);
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = x * i;
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i][i] * a[i][0];
  return s;
}"""
    assert not any(overwritten(source, level))
    assert not any(overwritten(source, level, type_="ptr")[-1:])


def test_constant_offsets_of_one_object() -> None:
    a = Analysed("""
define double @f(ptr %p) {
  %x = load double, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  store double 1.0, ptr %q
  %y = load double, ptr %q
  %r = getelementptr i8, ptr %p, i64 12
  store double 2.0, ptr %r
  ret double %x
}""")
    m, v = facts(a, "f"), named(a)
    assert m.overwritten_after(v["x"]) is None
    assert m.overwritten_after(v["y"]) is not None


def test_a_write_before_the_load_counts_in_a_loop_only() -> None:
    a = Analysed("""
define void @f(ptr %p, ptr %q, i1 %c) {
entry:
  store double 1.0, ptr %p
  %once = load double, ptr %p
  br label %loop
loop:
  store double 2.0, ptr %q
  %again = load double, ptr %q
  br i1 %c, label %loop, label %end
end:
  %last = load double, ptr %q
  ret void
}""")
    m, v = facts(a, "f"), named(a)
    assert m.overwritten_after(v["once"]) is not None
    assert m.overwritten_after(v["again"]) is not None
    assert m.overwritten_after(v["last"]) is None


def test_offsets_from_a_pointer_that_changes_are_not_comparable() -> None:
    a = Analysed("""
define void @f(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %v = load ptr, ptr %p
  %x = load double, ptr %v
  %w = getelementptr i8, ptr %v, i64 8
  store double %x, ptr %w
  br i1 %c, label %loop, label %end
end:
  ret void
}""")
    assert facts(a, "f").overwritten_after(named(a)["x"]) is not None


def test_invariant_and_constant_loads() -> None:
    a = Analysed("""
@table = constant [2 x double] [double 1.0, double 2.0]
declare void @unknown()
define double @f(ptr %p, i64 %i) {
  %q = getelementptr double, ptr @table, i64 %i
  %x = load double, ptr %q
  %y = load double, ptr %p, !invariant.load !0
  %z = load double, ptr %p
  call void @unknown()
  ret double %x
}
!0 = !{}
""")
    m, v = facts(a, "f"), named(a)
    assert m.overwritten_after(v["x"]) is None and m.overwritten_after(v["y"]) is None
    assert m.overwritten_after(v["z"]) is not None


# -- calls


@levels
def test_a_callee_that_writes_through_one_argument(level: str) -> None:
    source = """
__attribute__((noinline)) static void square(double *restrict out, const double *in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] * in[i];
}
double f(const double *restrict x, int n) {
  double t[9], s = x[0] * x[n];
  square(t, x, n);
  return s * x[1] + t[2];
}"""
    assert not any(overwritten(source, level))


@levels
def test_a_callee_that_writes_a_global(level: str) -> None:
    source = """
static double g, h;
__attribute__((noinline)) void count(double x) { g += x; }
double f(double x) { double a = g, b = h; h = 2 * x; count(x); return a * b * g; }"""
    a = from_c(source, level)
    m = facts(a, "f")
    loads = [i for i in a.all("f", "load") if "@g" in str(i.operands[0])]
    assert [m.overwritten_after(i) is not None for i in loads] == [True, False]


@levels
def test_library_calls(level: str) -> None:
    source = """
#include <math.h>
#include <stdio.h>
#include <string.h>
double f(const double *x, double *y, int n) {
  double whole = 0, a = x[0] * x[1];
  printf("%g", a);
  a += modf(x[2], &whole) * sin(x[3]);
  return a * whole;
}"""
    assert not any(overwritten(source, level))


def test_an_unknown_callee_writes_local_memory_that_it_is_handed_but_does_not_keep() -> None:
    a = Analysed("""
declare void @unknown(ptr captures(none))
define double @f() {
  %mine = alloca double
  %other = alloca double
  store double 1.0, ptr %mine
  store double 1.0, ptr %other
  %x = load double, ptr %mine
  %y = load double, ptr %other
  call void @unknown(ptr %mine)
  ret double %x
}""")
    m, v = facts(a, "f"), named(a)
    assert m.overwritten_after(v["x"]) is not None and m.overwritten_after(v["y"]) is None


def test_writes() -> None:
    a = Analysed("""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @unknown(ptr)
declare void @reads(ptr) memory(argmem: read)
declare void @free(ptr)
define void @g(ptr %a, ptr %b) {
  %q = getelementptr i8, ptr %b, i64 16
  store double 1.0, ptr %q
  ret void
}
define void @f(ptr %p, ptr %q) {
  store float 1.0, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 24, i1 false)
  call void @unknown(ptr %p)
  call void @reads(ptr %p)
  call void @g(ptr %p, ptr %q)
  call void @free(ptr %p)
  ret void
}""")
    m, (p, q) = facts(a, "f"), a.function("f").arguments
    written = [m.writes(i) for i in a.function("f").instructions()]
    assert [w if w is ANY else [(x.pointer, x.size) for x in w] for w in written] == [
        [(p, 4)], [(q, 24)], ANY, [], [(q, 24)], [], [],
    ]  # fmt: skip


# -- objects and aliasing


def test_objects_and_escape() -> None:
    a = Analysed("""
@g = global ptr null
declare ptr @malloc(i64)
declare void @keep(ptr)
define void @f(ptr noalias %p, i1 %c, i64 %i) {
  %s = alloca [4 x double]
  %t = alloca double
  %h = call ptr @malloc(i64 8)
  %l = load ptr, ptr @g
  %m = select i1 %c, ptr %s, ptr %h
  %e = getelementptr double, ptr %m, i64 %i
  call void @keep(ptr %t)
  store ptr %h, ptr @g
  ret void
}""")
    m, v = facts(a, "f"), named(a)
    kinds = {name: {o.kind for o in m.objects(v[name])} for name in ("s", "h", "l", "e")}
    assert kinds == {
        "s": {ObjectKind.STACK},
        "h": {ObjectKind.HEAP},
        "l": {ObjectKind.LOADED},
        "e": {ObjectKind.STACK, ObjectKind.HEAP},
    }
    escapes = {name: any(m.escapes(o) for o in m.objects(v[name])) for name in ("s", "t", "h")}
    assert escapes == {"s": False, "t": True, "h": True}
    assert m.may_alias(v["l"], 8, v["h"], 8) and not m.may_alias(v["l"], 8, v["s"], 8)
    assert not m.may_alias(a.function("f").arguments[0], 8, v["l"], 8)
    assert not m.may_alias(v["e"], 0, v["e"], 8)


@with_tbaa
def test_fields_of_different_structs(level: str) -> None:
    source = """
struct A { double x; long n; }; struct B { double y; long m; };
double f(struct A *a, struct B *b, double *d) { double r = a->x; b->y = 1; *d = 2; return r + a->x; }"""
    a = from_c(source, level)
    m = facts(a, "f")
    (load, *_), (b, d) = a.all("f", "load"), a.all("f", "store")
    tags = [i.metadata_node("!tbaa") for i in (load, b, d)]
    assert not m.may_alias(load.operands[0], 8, b.operands[1], 8, tags[0], tags[1])
    assert m.may_alias(load.operands[0], 8, d.operands[1], 8, tags[0], tags[2])


SCOPES = """
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
"""


@pytest.mark.parametrize("in_loop", [False, True])
def test_scopes_hold_for_one_execution_of_their_declaration(in_loop: bool) -> None:
    scope = "  call void @llvm.experimental.noalias.scope.decl(metadata !0)\n"
    a = Analysed(
        "declare void @llvm.experimental.noalias.scope.decl(metadata)\n"
        "define void @f(ptr %p, i1 %c) {\nentry:\n"
        "  %a = load ptr, ptr %p, !invariant.load !3\n  %q = getelementptr i8, ptr %p, i64 8\n"
        "  %b = load ptr, ptr %q, !invariant.load !3\n"
        + ("" if in_loop else scope)
        + "  br label %loop\nloop:\n"
        + (scope if in_loop else "")
        + "  %x = load double, ptr %a, !alias.scope !0\n"
        "  store double %x, ptr %b, !noalias !0\n"
        "  br i1 %c, label %loop, label %end\nend:\n  ret void\n}\n!3 = !{}\n" + SCOPES
    )
    found = facts(a, "f").overwritten_after(named(a)["x"])
    assert (found is not None) is in_loop
