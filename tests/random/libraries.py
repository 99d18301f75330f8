"""Random libraries: handles with tables, lists and callbacks, that programs zero, copy, move and evaluate.

A library has one type of handle. Handles are static, on the heap and on the stack; tables of handles are constant, or
grow. The differentiated function is a random sequence of calls and of statements about handles. Each library is a
header, a unit and a program, which compares both modes with differences (tests/programs/check.h). All are valid in C
and in C++; C++ adds a template, a virtual class and containers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

#: the fields that handles have at random, besides those that all have
_OPTIONAL = (
    "float gain;",
    "char name[8];",
    "short flags[2];",
    "int *order;",
    "void *user;",
    "long stamp;",
    "unsigned char kind;",
    "union { double number; const double *place; } either; int tag;",
)
#: the fields that all handles have
_FIELDS = (
    "int n;",
    "double *table;",
    "double value;",
    "double w[3];",
    "node *first;",
    "double (*op)(handle *, double);",
)

_HEADER = """#ifndef LIBRARY_H
#define LIBRARY_H
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#define CAST(T) (T)
extern "C" {
#else
#define CAST(T)
#endif
typedef struct handle handle;
typedef struct node node;
struct node { %(node)s };
struct handle { %(handle)s };
typedef double callback(double, void *);
enum { PLACES = 3 };
extern handle places[PLACES], *opened[8];
extern int count;
void *allocate(size_t size);
void release(void);
void copy_bytes(void *to, const void *from, size_t size);
void fill_bytes(void *to, int byte, size_t size);
void make(handle *h, int n, int kind);
handle *open_handle(int n, int kind);
void push(handle *h, double value);
void fill(handle *h, const double *x);
void copy(handle *to, const handle *from);
double value_of(handle *h, double x);
double each(handle *h, callback *call, void *context);
#ifdef __cplusplus
}
#endif
#endif
"""

_UNIT = """#include "library.h"
handle places[PLACES], *opened[8];
int count;
static void *blocks[400];
static int used;
%(template)s
void *allocate(size_t size) { return blocks[used++] = %(allocate)s; }
void release(void) {
  while (used > 0)
    free(blocks[--used]);
  memset(opened, 0, sizeof opened), count = 0;
  %(forget)s
}
void copy_bytes(void *to, const void *from, size_t size) { memcpy(to, from, size); }
void fill_bytes(void *to, int byte, size_t size) { memset(to, byte, size); }
static double one(handle *h, double x) { return h->value * sin(x) + h->w[0]; }
static double two(handle *h, double x) { return h->w[1] * x * x + h->w[2] * h->value; }
static double three(handle *h, double x) {
  double s = h->value;
  for (node *p = h->first; p; p = p->next)
    s += p->v * x;
  return s;
}
static double (*const operations[])(handle *, double) = {one, two, three};
void make(handle *h, int n, int kind) {
  %(zero)s
  h->op = operations[kind %% 3];
  h->table = CAST(double *) allocate(n * sizeof *h->table);
  for (int i = 0; i < n; i++)
    h->table[i] = i + 1;
  h->n = n;
  %(extra)s
}
handle *open_handle(int n, int kind) {
  handle *h = CAST(handle *) allocate(sizeof *h);
  make(h, n, kind);
  return opened[count++ %% 8] = h;
}
void push(handle *h, double value) {
  node *p = CAST(node *) allocate(sizeof *p);
  %(node_zero)s
  p->v = value, p->id = h->n, p->next = h->first;
  h->first = p;
}
void fill(handle *h, const double *x) {
  for (int i = 0; i < h->n; i++)
    h->table[i] %(assign)s x[i %% 3] * x[(i + 1) %% 3];
}
void copy(handle *to, const handle *from) {
  %(copy)s
  to->table = CAST(double *) allocate((from->n + 1) * sizeof *to->table);
  %(copy_table)s
}
double value_of(handle *h, double x) {
  double s = h->op ? h->op(h, x) : 0;
  for (int i = 0; i < h->n; i++)
    s += sin(h->table[i]) * (h->w[i %% 3] + x);
  %(evaluate)s
  return tanh(s / 4);
}
double each(handle *h, callback *call, void *context) {
  double s = 0;
  for (int i = 0; i < h->n; i++)
    s += call(h->table[i], context);
  return s;
}
"""

_MAIN = """#include "library.h"
#include "check.h"
struct context { double scale; handle *h; int calls; };
static double scaled(double v, void *p) {
  struct context *c = CAST(struct context *) p;
  c->calls++;
  return c->scale * v + c->h->w[0];
}
static double squared(double v, void *p) { return v * v * *(double *)p; }
static const handle blank = {0};
%(extra)s
static double f(double *x) {
  double s = 0;
  handle a, *b = open_handle(3, %(kind)d), *c = &places[%(place)d];
  make(&a, 2, %(kind)d + 1), make(c, 3, %(kind)d + 2);
%(statements)s
  s += value_of(&a, x[0]) + value_of(b, x[1]) * value_of(c, x[2]);
  release();
  return s;
}
int main(void) {
  CHECK(f, 0.31, 1.22, -0.73);
  CHECK(f, 0.82, -0.4, 0.57);
  return failures;
}
"""

#: what the union holds, and how it is read
_EITHER = "if (h->tag == 1) s += h->either.number; if (h->tag == 2) s += *h->either.place;"


@dataclass
class Library:
    """The texts of a random library."""

    header: str
    unit: str
    main: str
    is_cxx: bool


@dataclass
class _Maker:
    random: random.Random
    is_cxx: bool
    fields: list[str] = field(default_factory=list)

    def pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def has(self, name: str) -> bool:
        return any(name in field for field in self.fields)

    def handle(self) -> str:
        return self.pick("(&a)", "b", "c", "(&places[1])", "opened[0]")

    def shuffled(self, fields: list[str]) -> str:
        self.random.shuffle(fields)
        return " ".join(fields)


def library(seed: int, *, is_cxx: bool = False) -> Library:
    """Returns the library of a seed."""
    m = _Maker(random.Random(seed), is_cxx)
    m.fields = [*_FIELDS, *m.random.sample(_OPTIONAL, m.random.randrange(1, 5))]
    handle = m.shuffled(m.fields)
    node = m.shuffled(
        ["node *next;", "double v;", "int id;", *m.random.sample(["short s;", "float f;", "void *p;"], 1)]
    )
    return Library(_HEADER % {"handle": handle, "node": node}, _unit(m), _main(m), is_cxx)


_TEMPLATE = """template <class S, class T> static void clone(T *&to, S *from, int n) {
  to = (T *)allocate((n + 1) * sizeof(T));
  memcpy((void *)to, (const void *)from, sizeof(T) * n);
}"""


def _unit(m: _Maker) -> str:
    extra = [
        (
            "order;",
            "h->order = CAST(int *) allocate(n * sizeof *h->order); for (int i = 0; i < n; i++) h->order[i] = i;",
        ),
        ("gain;", "h->gain = 1.5f;"),
        ("name[", 'strcpy(h->name, "abc");'),
        ("stamp;", "h->stamp = n + kind;"),
        ("flags[", "h->flags[1] = 3;"),
    ]
    read = [
        ("order;", "if (h->order) for (int i = 0; i < h->n; i++) s += h->table[h->order[h->n - 1 - i]] * (i + 1);"),
        ("gain;", "s *= h->gain;"),
        ("either", _EITHER),
        ("user;", "if (h->user) s += *(double *)h->user;"),
        ("stamp;", "s += (double)h->stamp * x;"),
    ]
    table_copies = ["memcpy(to->table, from->table, from->n * sizeof *to->table);",
                    "copy_bytes(to->table, from->table, from->n * sizeof *to->table);",
                    "for (int i = 0; i < from->n; i++) to->table[i] = from->table[i];"]  # fmt: skip
    if m.is_cxx:
        table_copies.append("clone(to->table, from->table, from->n);")
    return _UNIT % {
        "template": _TEMPLATE if m.is_cxx else "",
        "allocate": m.pick("malloc(size)", "calloc(1, size)", "calloc(size, 1)"),
        "forget": m.pick(
            "memset(places, 0, sizeof places);",
            "fill_bytes(places, 0, sizeof places);",
            "handle none = {0}; for (int i = 0; i < PLACES; i++) places[i] = none;",
        ),
        "zero": m.pick("memset(h, 0, sizeof *h);", "fill_bytes(h, 0, sizeof *h);", "handle none = {0}; *h = none;"),
        "node_zero": m.pick("", "memset(p, 0, sizeof *p);", "fill_bytes(p, 0, sizeof *p);"),
        "assign": m.pick("=", "+=", "="),
        "copy": m.pick("*to = *from;", "memcpy(to, from, sizeof *to);", "copy_bytes(to, from, sizeof *to);"),
        "copy_table": m.pick(*table_copies),
        "extra": " ".join(text for name, text in extra if m.has(name)),
        "evaluate": " ".join(text for name, text in read if m.has(name)),
    }


def _zeroed(m: _Maker) -> str:
    h = m.handle()
    texts = [f"memset({h}->w, 0, sizeof {h}->w);", f"{h}->value = 0;", f"fill_bytes({h}->table, 0, {h}->n * 8);",
             f"memset({h}, 0, sizeof *{h});", f"*{h} = blank;", f"fill_bytes({h}, 0, sizeof *{h});"]  # fmt: skip
    return m.pick(*texts)


def _copied(m: _Maker) -> str:
    to, origin = m.handle(), m.handle()
    texts = [f"{{ handle t = *{origin}; copy({to}, &t); }}", f"*{to} = *{origin};",
             f"{{ handle t = *{to}; *{to} = *{origin}; *{origin} = t; }}",
             f"{{ handle t; copy_bytes(&t, {origin}, sizeof t); memcpy({to}, &t, sizeof t); }}",
             "memmove(places, places + 1, 2 * sizeof *places);",
             f"memmove({to}->w, {origin}->w, sizeof {to}->w);",
             f"{{ handle *t = CAST(handle *) allocate(sizeof *t); copy(t, {origin}); s += value_of(t, x[0]); }}",
             f"{{ handle *t = CAST(handle *) malloc(sizeof *t); *t = *{origin}; "
             "t = CAST(handle *) realloc(t, 2 * sizeof *t); t[1] = t[0]; "
             "s += value_of(t + 1, x[2]); free(t); }"]  # fmt: skip
    return m.pick(*texts)


def _set(m: _Maker) -> str:
    h, k, j = m.handle(), m.random.randrange(3), m.random.randrange(3)
    texts = [f"{h}->value = x[{k}] * x[{j}];", f"{h}->w[{k}] += x[{j}];", f"fill({h}, x);", f"push({h}, x[{k}] + {j});",
             f"for (int i = 0; i < {h}->n; i++) {h}->table[i] *= x[{k}];"]  # fmt: skip
    if m.has("either"):
        texts += [f"{h}->tag = 1, {h}->either.number = x[{k}];", f"{h}->tag = 2, {h}->either.place = &x[{j}];"]
    if m.has("user;"):
        texts += [f"{h}->user = &x[{k}];", f"{h}->user = &{h}->value;"]
    return m.pick(*texts)


def _evaluated(m: _Maker) -> str:
    h, k = m.handle(), m.random.randrange(3)
    context = f"{{ struct context t = {{x[{k}], {h}, 0}}; s += each({h}, scaled, &t) + t.calls; }}"
    texts = [f"s += value_of({h}, x[{k}]);", context, f"{{ double t = x[{k}]; s += each({h}, squared, &t); }}",
             f"for (int i = 0; i < PLACES; i++) s += value_of(&places[i], x[{k}]);",
             f"s += {h}->w[{k}] * {h}->value;"]  # fmt: skip
    if m.is_cxx:
        texts += [f"s += Shape({h}).area(x[{k}]);", f"s += by_functions({h}, x[{k}]);", f"s += in_vector({h}, x);"]
    return m.pick(*texts)


_CXX = """#include <functional>
#include <memory>
#include <vector>
struct Base {
  virtual ~Base() {}
  virtual double area(double) const = 0;
};
struct Shape : Base {
  handle *h;
  std::vector<double> kept;
  explicit Shape(handle *given) : h(given), kept(given->table, given->table + given->n) {}
  double area(double x) const override {
    double s = x;
    for (double v : kept)
      s += v * h->w[1];
    return s;
  }
};
static double by_functions(handle *h, double x) {
  std::vector<std::function<double(double)>> all;
  double y = h->value;
  all.push_back([=](double v) { return y * v; });
  all.push_back([h, x](double v) { return h->w[2] * x + v; });
  for (auto &call : all)
    x = call(x);
  return x;
}
static double in_vector(handle *h, const double *x) {
  std::vector<handle> some(2, *h);
  some.push_back(blank);
  some[0].value = x[0];
  some.insert(some.begin(), some[1]);
  std::unique_ptr<Base> shape(new Shape(&some[1]));
  return value_of(&some[1], x[1]) * some[0].w[0] + shape->area(x[2]);
}
"""


def _main(m: _Maker) -> str:
    kinds: list[Callable[[_Maker], str]] = [_zeroed, _copied, _copied, _set, _set, _set, _evaluated, _evaluated]
    statements = [m.random.choice(kinds)(m) for _ in range(m.random.randrange(4, 14))]
    return _MAIN % {
        "extra": _CXX if m.is_cxx else "",
        "kind": m.random.randrange(3),
        "place": m.random.choice([0, 2]),
        "statements": "\n".join(f"  {text}" for text in statements),
    }
