"""Generated libraries of the shapes that took links longest: each gives a program of n functions that requests reach.

Each program differentiates `double f(const double *x)`, and prints the derivative and a central difference by x[0].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

_HEAD = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C"
#else
extern
#endif
double __enzyme_autodiff(void *, ...);
#define APART __attribute__((noinline))
"""
_MAIN = """
int main(void) {
  double x[4] = {0.7, 0.3, 0.2, 0.1}, dx[4] = {0}, h = 1e-5;
  __enzyme_autodiff((void *)f, x, dx);
  x[0] += h; double more = f(x);
  x[0] -= 2 * h; double less = f(x), want = (more - less) / (2 * h);
  printf("%.12g %.12g\\n", dx[0], want);
  return !(fabs(dx[0] - want) <= 1e-6 * (1 + fabs(want)));
}
"""


def _all(n: int, call: str) -> Iterator[str]:
    """Yields functions that call all others, a hundred each, and f, which calls these."""
    groups = range(0, n, 100)
    for start in groups:
        calls = " ".join(f"s += {call.format(k)};" for k in range(start, min(n, start + 100)))
        yield f"static APART double all{start}(const double *x) {{ double s = 0; {calls} return s; }}"
    yield f"double f(const double *x) {{ return {' + '.join(f'all{start}(x)' for start in groups)}; }}"


def one_allocator(n: int) -> Iterator[str]:
    """All memory comes from one function that grows, moves and frees blocks."""
    yield "static APART void *memory(void *p, size_t n) { if (n == 0) { free(p); return 0; } return realloc(p, n); }"
    yield "struct text { int n; char letters[12]; }; struct cell { struct cell *next; double v; };"
    for k in range(n):
        yield f"""static APART double g{k}(const double *x) {{
  struct cell *c = memory(0, sizeof *c); double *a = memory(0, {k % 5 + 2} * sizeof *a);
  struct text *t = memory(0, sizeof *t); t->n = {k}; memcpy(t->letters, "name {k % 10}", 7);
  for (int i = 0; i < {k % 5 + 2}; i++) a[i] = x[i % 4] * {k % 7 + 1};
  a = memory(a, {k % 5 + 9} * sizeof *a); c->next = 0; c->v = a[{k % 2}] * sin(a[0]);
  double r = c->v + t->letters[0] * 0.0; memory(c, 0); memory(a, 0); memory(t, 0); return r; }}"""
    yield from _all(n, "g{}(x)")


def one_heap(n: int) -> Iterator[str]:
    """A state that all functions have: one allocator moves its stack, tables and texts."""
    yield """typedef struct object object;
typedef struct { union { double d; long i; object *o; } v; unsigned char tag; } value;
struct object { object *next; unsigned char kind; int n; value *at; char *text; };
typedef struct { value *stack, *top, *end; object *all; void *(*memory)(void *, void *, size_t); } state;
static APART void *moved(void *c, void *p, size_t n) {
  if (n == 0) { free(p); return c; }
  return realloc(p, n); }
static APART object *made(state *L, int kind, size_t n) {
  object *o = L->memory(0, 0, sizeof *o);
  memset(o, 0, sizeof *o); o->kind = kind; o->next = L->all; L->all = o; o->n = n;
  if (kind) o->at = L->memory(0, 0, n * sizeof(value)); else o->text = L->memory(0, 0, n);
  return o; }
static APART value *pushed(state *L) {
  if (L->top == L->end) {
    size_t at = (char *)L->top - (char *)L->stack;
    L->stack = L->memory(0, L->stack, 2 * at); L->top = (value *)((char *)L->stack + at);
    L->end = (value *)((char *)L->stack + 2 * at); }
  return L->top++; }"""
    for k in range(n):
        yield f"""static APART void g{k}(state *L) {{
  object *t = made(L, 1, {k % 3 + 2}), *u = made(L, 0, 16); value *s = L->top - 1, v = *s, *to;
  t->at[{k % 2}] = v; const char *c = u->text; while (c < u->text + {k % 7 + 3} && *c != {k % 20}) c++;
  to = pushed(L); to->v.o = u; to->tag = c - u->text; to = pushed(L); to->v.o = t; to->tag = 1;
  value w = L->top[-1]; v = w.v.o->at[{k % 2}];
  if (v.tag == 0) v.v.d += 0.1 * sin(v.v.d);
  L->top -= 2; L->top[-1] = v; }}"""
    calls = " ".join(f"g{k}(&L);" for k in range(n))
    yield f"""double f(const double *x) {{
  state L; value v; L.memory = moved; L.all = 0; L.stack = malloc(4 * sizeof v); L.top = L.stack; L.end = L.stack + 4;
  v.v.d = x[0] * x[1]; v.tag = 0; *pushed(&L) = v; {calls}
  double r = L.top[-1].v.d; free(L.stack); return r; }}"""


def tagged_unions(n: int) -> Iterator[str]:
    """Values that are a number, an integer or an object, in tables of all of these."""
    yield """struct table;
typedef struct { union { double d; long i; struct table *t; void *p; } v; unsigned char tag; } value;
struct table { int n; value *at; };
static APART void put(struct table *t, int k, const value *v) { t->at[k] = *v; }
static APART value get(const struct table *t, int k) { return t->at[k]; }
static APART double number(value v) {
  return v.tag == 0 ? v.v.d : v.tag == 1 ? (double)v.v.i : number(v.v.t->at[0]); }"""
    for k in range(n):
        yield f"""static APART double g{k}(const double *x) {{
  struct table t, u; t.n = u.n = {k % 5 + 3}; t.at = calloc(t.n, sizeof(value)); u.at = calloc(u.n, sizeof(value));
  value v; v.v.d = x[{k % 4}] * x[0]; v.tag = 0; put(&t, 1, &v); put(&u, 0, &v);
  v.v.i = {k}; v.tag = 1; put(&t, 0, &v); v.v.t = &u; v.tag = 2; put(&t, 2, &v);
  double s = 0; for (int i = 0; i < 3; i++) s += number(get(&t, i)); free(t.at); free(u.at); return s; }}"""
    yield from _all(n, "g{}(x)")


def interpreters(n: int) -> Iterator[str]:
    """An interpreter of 80 operations over one stack, which call n functions."""
    yield "typedef struct { union { double d; long i; void *p; } v; int tag; } slot;"
    yield "typedef struct { slot *stack, *top; const unsigned char *code; void *context; } machine;"
    for k in range(n):
        yield f"static APART void op{k}(machine *m) {{"
        yield f"  slot *s = m->top - 1; s->v.d += 0.1 * sin(s->v.d * {k % 9 + 1}); s->tag = 3; }}"
    yield "static APART void run(machine *m) { for (;;) switch (*m->code++) { case 0: return;"
    for k in range(1, 81):
        calls = " ".join(f"op{j}(m);" for j in range(k - 1, n, 80))
        body = ("m->top[0] = m->top[-1]; m->top++;", "m->top--; m->top[-1].v.d += m->top[0].v.d;")[k % 2]
        yield f"case {k}: {calls} {body} break;"
    yield "} }"
    yield """double f(const double *x) {
  static const unsigned char code[] = {2, 4, 3, 5, 0};
  slot s[64]; memset(s, 0, sizeof s); s[0].v.d = x[0]; s[1].v.d = x[1] * x[0];
  machine m = {s, s + 2, code, 0}; run(&m); return m.top[-1].v.d; }"""


def contexts(n: int) -> Iterator[str]:
    """Callbacks that are given their data as void *."""
    yield "typedef double (*callback)(double, void *);"
    yield "static APART double apply(callback c, double x, void *p) { return c(x, p) + c(2 * x, p); }"
    for k in range(n):
        members = " ".join(f"double m{j};" for j in range(k % 4 + 1))
        yield f"struct s{k} {{ int n; {members} const double *x; }};"
        yield f"static double c{k}(double x, void *p) {{ struct s{k} *s = p; return s->m0 * x * x + s->n * s->x[0]; }}"
        yield f"""static APART double g{k}(const double *x) {{
  struct s{k} s; s.n = {k % 3}; s.m0 = x[{k % 4}]; s.x = x; return apply(c{k}, x[0], &s); }}"""
    yield from _all(n, "g{}(x)")


def intrusive_lists(n: int) -> Iterator[str]:
    """Objects of n kinds on lists, whose links lie in the objects."""
    yield """struct link { struct link *next, *prev; };
static APART void insert(struct link *l, struct link *at) {
  l->next = at->next; l->prev = at; at->next->prev = l; at->next = l; }
static APART void out(struct link *l) { l->next->prev = l->prev; l->prev->next = l->next; }"""
    for k in range(n):
        first = "struct link l; double v;" if k % 2 else "double v; struct link l;"
        yield f"struct s{k} {{ int pad[{k % 3 * 2 + 2}]; {first} }};"
        yield f"""static APART double g{k}(const double *x, struct link *head) {{
  struct s{k} *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->v = x[0] * {k % 5 + 1}; b->v = x[1] * x[0];
  insert(&a->l, head); insert(&b->l, head); double s = 0;
  for (struct link *l = head->next; l != head; l = l->next)
    s += ((struct s{k} *)((char *)l - offsetof(struct s{k}, l)))->v;
  out(&a->l); out(&b->l); free(a); free(b); return s * s; }}"""
    yield "static struct link head = {&head, &head};"
    yield from _all(n, "g{}(x, &head)")


def function_tables(n: int) -> Iterator[str]:
    """A table of n functions, which are called by number."""
    for k in range(n):
        value = f"sin(x[0] * {k % 9 + 1}) * x[{k % 4}] + exp(x[1]) * x[0]"
        yield f"static double g{k}(const double *x) {{ return {value}; }}"
    yield f"static double (*const table[])(const double *) = {{{', '.join(f'g{k}' for k in range(n))}}};"
    yield f"double f(const double *x) {{ double s = 0; for (int k = 0; k < {n}; k++) s += table[k](x); return s; }}"


def doubling_chains(n: int) -> Iterator[str]:
    """Each function calls the one before twice, with results of its own and a part of its table: 2 to the n paths."""
    yield "typedef struct { int depth, sizes[8]; const double *at; } grid;"
    yield "static APART void g0(const double *x, double *y, const grid *g) { y[0] = x[0] * g->at[0]; y[1] = x[1]; }"
    for k in range(1, n):
        yield f"""static APART void g{k}(const double *x, double *y, const grid *g) {{
  double a[2], b[2]; grid part = *g; memmove(part.sizes, g->sizes + 1, 7 * sizeof(int));
  if (part.depth-- == 0) {{ y[0] = x[0] * g->at[1] * {k % 7 + 1}; y[1] = x[2]; return; }}
  g{k - 1}(x + 1, a, &part); part.at = g->at + g->sizes[0]; g{k - 1}(x, b, &part);
  y[0] = a[0] + (b[0] - a[0]) * sin(x[0]); y[1] = a[1] * b[1]; }}"""
    yield f"""double f(const double *x) {{
  double y[2], z[8] = {{x[0], x[1], x[2] * x[0], x[3], x[0], x[1], x[0], x[1]}};
  grid g = {{3, {{1, 1, 1, 1}}, z}}; g{n - 1}(z, y, &g); return y[0] + y[1]; }}"""


def virtual_classes(n: int) -> Iterator[str]:
    """n classes behind one virtual function, in a container of pointers (C++)."""
    yield "#include <memory>\n#include <vector>"
    yield "struct base { virtual double value(const double *x) const = 0; virtual ~base() {} };"
    for k in range(n):
        yield f"""struct c{k} : base {{ double m; explicit c{k}(double m) : m(m) {{}}
  double value(const double *x) const override {{ return m * sin(x[0] * {k % 9 + 1}); }} }};
static APART void add{k}(std::vector<std::unique_ptr<base>> &v, const double *x) {{
  v.emplace_back(new c{k}(x[{k % 4}])); }}"""
    adds = " ".join(f"add{k}(v, x);" for k in range(n))
    yield f"double f(const double *x) {{ std::vector<std::unique_ptr<base>> v; {adds}"
    yield "  double s = 0; for (auto &p : v) s += p->value(x); return s; }"


SHAPES: dict[str, Callable[[int], Iterator[str]]] = {
    shape.__name__: shape
    for shape in (
        one_allocator,
        one_heap,
        tagged_unions,
        interpreters,
        contexts,
        intrusive_lists,
        function_tables,
        doubling_chains,
        virtual_classes,
    )
}


def language(shape: str) -> str:
    """Returns the compiler's name of the language that a shape is written in."""
    return "c++" if shape == virtual_classes.__name__ else "c"


def program(shape: str, n: int) -> str:
    """Returns the source of a program of n functions."""
    return "\n".join((_HEAD, "#include <stddef.h>", *SHAPES[shape](n), _MAIN))
