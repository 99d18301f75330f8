"""Layouts of memory in C programs, at each level of optimisation of the unit."""

from __future__ import annotations

import pytest

from ..support import LEVELS, Analysed, compile_c, from_c

levels = pytest.mark.parametrize("level", LEVELS)


def copy_layouts(source: str, level: str, function: str = "f", callee: str = "llvm.mem") -> list[str]:
    """Layouts behind target and source of each copy or fill of constant or unknown size in a function."""
    a = from_c(source, level)
    out = []
    for call in a.calls(function, callee):
        size = getattr(call.arguments[2], "value", None)
        out += [a.layout(p, size) for p in call.arguments[: 1 if "memset" in str(call.callee) else 2]]
    return out


@levels
def test_array_of_double(level: str) -> None:
    source = """
#include <string.h>
double f(double *a, double *b, int n) {
  memcpy(b, a, n * sizeof *a);
  double s = 0;
  for (int i = 0; i < n; i++) s += b[i];
  return s;
}"""
    assert copy_layouts(source, level) == ["8: 0+8 double"] * 2


@levels
def test_struct_with_mixed_fields(level: str) -> None:
    source = """
struct S { int n; double a[4]; double *p; float f, g; };
double f(struct S *s, int k) {
  struct S t = *s;
  t.a[k] += t.n + t.p[k] + t.f - t.g;
  *s = t;
  return t.a[1];
}"""
    expected = "-: 0+4 integer, 4+4 anything, 8+32 double, 40+8 pointer, 48+8 float"
    assert set(copy_layouts(source, level)) == {expected}


@levels
def test_array_of_structs_in_memory_of_a_malloc_wrapper(level: str) -> None:
    source = """
#include <stdlib.h>
#include <string.h>
typedef struct { double x, y; int id; } P;
__attribute__((noinline)) void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
double f(P *p, int n) {
  P *q = xmalloc(n * sizeof(P));
  memcpy(q, p, n * sizeof(P));
  int *k = xmalloc(n * 4), *l = xmalloc(n * 4);
  double s = 0;
  for (int i = 0; i < n; i++) { s += q[i].x * q[i].y * q[i].id; k[i] = (int)s; }
  memcpy(l, k, n * 4);
  return s + l[n / 2];
}"""
    struct = "24: 0+16 double, 16+4 integer, 20+4 anything"
    assert copy_layouts(source, level) == [struct, struct, "4: 0+4 integer", "4: 0+4 integer"]


@levels
def test_generic_copy_of_several_types_is_a_conflict_only_inside(level: str) -> None:
    source = """
#include <string.h>
__attribute__((noinline)) void swap(void *a, void *b, size_t n) {
  char t[64]; memcpy(t, a, n); memcpy(a, b, n); memcpy(b, t, n);
}
double f(double *x, int *k, int n) {
  swap(x, x + 1, 8);
  swap(k, k + 1, 4);
  double y[9]; int m[9];
  memmove(y, x, n * 8); memmove(m, k, n * 4);
  return x[n] * k[n] * y[n / 2] * m[n / 2];
}"""
    assert set(copy_layouts(source, level, "swap")) == {"unknown"}
    assert copy_layouts(source, level) == ["8: 0+8 double"] * 2 + ["4: 0+4 integer"] * 2


@levels
def test_arrays_of_pointers_to_arrays(level: str) -> None:
    source = """
#include <string.h>
double f(double **a, double **b, int n, int m) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    memcpy(b[i], a[i], m * 8);
    for (int j = 0; j < m; j++) s += b[i][j];
  }
  memcpy(a, b, n * sizeof *a);
  return s;
}"""
    assert sorted(copy_layouts(source, level)) == ["8: 0+8 double"] * 2 + ["8: 0+8 pointer"] * 2


@levels
def test_context_structs_behind_void_pointers(level: str) -> None:
    source = """
#include <string.h>
typedef double (*fn)(double, void *);
struct F { fn f; void *params; };
struct A { double a, b; };
struct B { int k; double *w; };
static double f1(double x, void *p) { struct A c; memcpy(&c, p, sizeof c); return c.a * x + c.b; }
static double f2(double x, void *p) { struct B *c = p; double t[4]; memcpy(t, c->w, 32); return t[c->k] * x; }
__attribute__((noinline)) static double sum(struct F *f) {
  double s = 0;
  for (int i = 0; i < 10; i++) s += f->f(i, f->params);
  return s;
}
double f(double a, double *w) {
  struct A c1 = {a, 2}; struct B c2 = {3, w};
  struct F g = {f1, &c1}, h = {f2, &c2};
  struct A d1; struct B d2;
  memcpy(&d1, &c1, sizeof d1); memcpy(&d2, &c2, sizeof d2);
  g.params = &d1; h.params = &d2;
  return sum(&g) + sum(&h);
}"""
    assert set(copy_layouts(source, level, "f2")) == {"-: 0+32 double"}


@levels
def test_realloc_and_move_inside_an_array(level: str) -> None:
    source = """
#include <stdlib.h>
#include <string.h>
double f(double x, int n) {
  double *v = 0; int cap = 0;
  for (int i = 0; i < n; i++) {
    if (i == cap) v = realloc(v, (cap = 2 * cap + 1) * sizeof *v);
    memmove(v + 1, v, i * sizeof *v);
    v[0] = x * i;
  }
  return v[n - 1];
}"""
    assert copy_layouts(source, level) == ["8: 0+8 double"] * 2


@levels
def test_sign_bits_of_a_union_do_not_make_an_integer(level: str) -> None:
    source = """
#include <stdint.h>
#include <string.h>
union U { double d; uint64_t u; };
double f(double *x, double *y, int n) {
  memcpy(y, x, n * 8);
  for (int i = 0; i < n; i++) { union U u; u.d = x[i]; if (u.u >> 63) y[i] = -y[i]; }
  return y[0];
}"""
    assert copy_layouts(source, level) == ["8: 0+8 double"] * 2


def test_union_that_holds_both_is_unknown() -> None:
    source = """
#include <string.h>
union U { double d; long l; };
double f(union U *u, union U *v, int k) {
  *v = *u;
  memcpy(v + 1, u + 1, 8 * (long)k);
  if (k > 3) { u->l = k * 3L; u[1].l = k * 5L; return 0; }
  u->d *= 2; u[1].d = 3;
  return v->d + v[1].d;
}"""
    assert "unknown" in copy_layouts(source, "-O0")


@levels
def test_memory_that_nothing_accesses_is_unknown(level: str) -> None:
    source = """
#include <string.h>
void f(void *a, void *b, int n) { memcpy(a, b, n); }"""
    assert copy_layouts(source, level) == ["unknown"] * 2


def test_declared_types_tell_of_fields_that_are_only_copied() -> None:
    source = """
struct S { double x[6]; int n; float y[3]; long m[4]; };
__attribute__((noinline)) void g(struct S *t) { t->x[1] += 1; }
void f(struct S *a, struct S *b) { struct S t = *b; g(&t); *a = t; }"""
    expected = "-: 0+48 double, 48+4 integer, 52+12 float, 64+32 integer"
    assert copy_layouts(source, "-O2") == [expected] * 4


@levels
def test_arguments_by_value(level: str) -> None:
    source = """
struct S { double x[5]; int n; };
__attribute__((noinline)) static double g(struct S s) {
  s.x[s.n] *= 2;
  double t = 0;
  for (int i = 0; i < 5; i++) t += s.x[i];
  return t;
}
double f(struct S *a) { return g(*a); }"""
    a = from_c(source, level)
    argument = a.function("g").arguments[0]
    assert a.layout(argument, 48) == "-: 0+40 double, 40+4 integer, 44+4 anything"


@levels
def test_local_memory_never_accessed_holds_what_is_declared(level: str) -> None:
    source = """
struct S { double x; float more[3]; };
__attribute__((noinline)) static void g(struct S *s, double v) { s->x = v; }
double f(double v) { struct S s, t; g(&s, v); t = s; g(&t, t.x); return t.x + s.x; }"""
    assert set(copy_layouts(source, level)) == {"-: 0+8 double, 8+12 float, 20+4 anything"}


@levels
def test_two_floats_in_one_register(level: str) -> None:
    source = """
typedef struct { float x; int n; } S;
__attribute__((noinline)) static float g(S s) { return s.x * s.n; }
float f(S *a, S *b) { *b = *a; return g(*b); }"""
    a = from_c(source, level)
    kinds = {
        tuple(kind.value for _, _, kind in a.types.values.parts(i)) for i in a.all("f", "load") if str(i.type) == "i64"
    }
    assert kinds <= {("float", "integer")}


@levels
def test_a_matrix_view_by_value(level: str) -> None:
    source = """
#include <stddef.h>
typedef struct { size_t n, stride; double *data; int owner; } V;
typedef struct { size_t n1, n2, tda; double *data; int owner; } M;
__attribute__((noinline)) V row(M *m, size_t i) {
  V v = {0, 0, 0, 0};
  v.data = m->data + i * m->tda; v.n = m->n2; v.stride = 1;
  return v;
}
double f(M *m) {
  double s = 0;
  for (size_t i = 0; i < m->n1; i++) {
    V v = row(m, i);
    for (size_t j = 0; j < v.n; j++) s += v.data[j * v.stride];
  }
  return s;
}"""
    a = from_c(source, level)
    pointer = a.function("row").arguments[0]
    assert a.layout(pointer, 28) == "-: 0+16 integer, 16+8 pointer, 24+4 integer"
    loads = [i for i in a.all("f", "load") if str(i.type) == "i64"]
    assert all(a.types.values.kind(i).value == "integer" for i in loads)


def test_debug_information_tells_of_arguments_that_are_only_copied() -> None:
    source = """
#include <string.h>
struct S { double x[6]; int n; float y[3]; struct { long m[4]; double *p; } in; };
void f(struct S *a, struct S *b) { memcpy(a, b, sizeof *a); }
void g(double *a, double *b, int n) { memcpy(a, b, n * sizeof *a); }
void h(struct S *a, struct S *b, int n) { memcpy(a, b, n * sizeof *a); }"""
    a = Analysed(compile_c(source, "-O0", "c", "-g"))
    struct = "0+48 double, 48+4 integer, 52+12 float, 64+32 integer, 96+8 pointer"
    expected = {"f": (104, f"-: {struct}"), "g": (None, "8: 0+8 double"), "h": (None, f"104: {struct}")}
    for name, (size, layout) in expected.items():
        assert [a.layout(p, size) for p in a.function(name).arguments[:2]] == [layout] * 2
