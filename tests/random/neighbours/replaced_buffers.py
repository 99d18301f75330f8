"""Container arguments whose buffer the function replaces."""

from __future__ import annotations

from .neighbour import Kind, Neighbour

_HEAD = """#include "head.h"
#include <algorithm>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
extern int enzyme_dup;
template <class R, class... A> R __enzyme_autodiff(void *, A...);
template <class R, class... A> R __enzyme_fwddiff(void *, A...);

/* three numbers in a container S, made of those at x, and where the k-th lies */
template <class S> struct as;
struct plain { double *p; int n; };
struct two { double *now, *next; };
struct owner { int n = 3; std::vector<double> v; double scale = 0; };
struct pair_of { std::vector<double> a, b; };
struct node { double v; std::unique_ptr<node> next; };
typedef std::vector<std::vector<double>> rows;
typedef std::map<int, std::vector<double>> table;
"""


def _of(name: str, made: str, at: str) -> str:
    return (
        f"template <> struct as<{name}> {{\n  static {name} make(const double *x) {{ {made} }}\n"
        f"  static double &at({name} &a, int k) {{ return {at}; }}\n}};\n"
    )


#: the type of the argument, how it is made of three numbers at x, where the k-th lies, and another one made of it, b
_SHAPES = {
    "vector": ("std::vector<double>", "return {x[0], x[1], x[2]};", "a[k]"),
    "string": ("std::string", "return std::string((const char *)x, 24);", "((double *)a.data())[k]"),
    "unique_ptr": (
        "std::unique_ptr<double[]>",
        "std::unique_ptr<double[]> a(new double[3]); std::copy(x, x + 3, a.get()); return a;",
        "a[k]",
    ),
    "shared_ptr": (
        "std::shared_ptr<std::vector<double>>",
        "return std::make_shared<std::vector<double>>(x, x + 3);",
        "(*a)[k]",
    ),
    "list": ("std::list<double>", "return std::list<double>(x, x + 3);", "*std::next(a.begin(), k)"),
    "deque": ("std::deque<double>", "return std::deque<double>(x, x + 3);", "a[k]"),
    "forward_list": (
        "std::forward_list<double>",
        "return std::forward_list<double>(x, x + 3);",
        "*std::next(a.begin(), k)",
    ),
    "valarray": ("std::valarray<double>", "return std::valarray<double>(x, 3);", "a[k]"),
    "owner": ("owner", "owner a; a.v.assign(x, x + 3); return a;", "a.v[k]"),
    "rows": ("rows", "return {{x[0]}, {x[1], x[2]}};", "k ? a[1][k - 1] : a[0][0]"),
    "table": ("table", "return {{1, {x[0]}}, {2, {x[1], x[2]}}};", "k ? a.at(2)[k - 1] : a.at(1)[0]"),
    "optional": ("std::optional<std::vector<double>>", "return std::vector<double>(x, x + 3);", "(*a)[k]"),
    "pair_of": ("pair_of", "return {{x[0], x[1], x[2]}, {0, 0, 0}};", "a.a[k]"),
    "plain": ("plain", "double *p = (double *)malloc(24); std::copy(x, x + 3, p); return {p, 3};", "a.p[k]"),
}
#: what a function does with the argument a; NEXT(b) makes b, of the same type, from a
_SEQUENCES = {
    "swap": "NEXT(b); std::swap(a, b);",
    "move": "NEXT(b); a = std::move(b);",
    "copy": "NEXT(b); a = b;",
    "loop": "for (int i = 0; i < 3; i++) { NEXT(b); std::swap(a, b); }",
    "loop of moves": "for (int i = 0; i < 2; i++) { NEXT(b); a = std::move(b); }",
    "there and back": "NEXT(b); std::swap(a, b); at(a, 0) *= 2; std::swap(b, a);",
    "only if": "NEXT(b); if (at(b, 0) > 0) std::swap(a, b); else a = b;",
    "exchange": "NEXT(b); auto c = std::exchange(a, std::move(b)); at(a, 0) += at(c, 1);",
}
#: the same for what only some can do
_MORE = {
    "vector": {
        "longer": "NEXT(b); b.push_back(b[0]); b.push_back(b[1]); a = b;",
        "clear": "NEXT(b); a.clear(); a.shrink_to_fit(); for (double t : b) a.push_back(t);",
        "grow": "double t = a[0] * a[1]; for (int i = 0; i < 9; i++) a.push_back(t * i); a[0] = a[5];",
        "reserve": "a.reserve(50); a[1] = a[0] * a[2];",
        "resize": "a.resize(40); a[1] = a[0] * a[2]; a.resize(3); a.shrink_to_fit();",
        "insert": "a.insert(a.begin(), a[0] * a[1]);",
        "erase": "a.erase(a.begin()); a.push_back(a[0] * a[1]);",
        "assign": "NEXT(b); a.assign(b.rbegin(), b.rend());",
        "assign value": "double t = a[0] * a[1]; a.assign(20, t);",
        "emplace": "a.emplace(a.begin() + 1, a[0] * a[2]); a.emplace_back(a[1]);",
        "list": "double t = a[0] * a[1]; a = {t, a[2], t};",
        "member": "NEXT(b); a.swap(b);",
        "rvalue": "std::vector<double>(a).swap(a); a[0] *= a[1];",
        "sort": "NEXT(b); a = b; std::sort(a.begin(), a.end()); a.resize(30);",
        "inner": "auto step = [&](std::vector<double> &v) { NEXT(b); v.swap(b); }; step(a); step(a);",
        "pop": "double t = a[2]; a.pop_back(); a.shrink_to_fit(); a.push_back(t * a[0]);",
    },
    "string": {
        "append": "a.append(a); ((double *)a.data())[0] = ((double *)a.data())[4];",
        "resize": "a.resize(400); ((double *)a.data())[1] = ((double *)a.data())[0];",
        "substr": "NEXT(b); a = (b + b).substr(24);",
    },
    "unique_ptr": {
        "reset": "NEXT(b); a.reset(b.release());",
        "release": "NEXT(b); delete[] a.release(); a = std::move(b);",
    },
    "shared_ptr": {"reset": "NEXT(b); a.reset(new std::vector<double>(*b));", "inner": "NEXT(b); a->swap(*b);"},
    "list": {"splice": "NEXT(b); a.splice(a.begin(), b);", "push": "a.push_front(at(a, 0) * at(a, 1)); a.pop_back();"},
    "deque": {
        "push": "for (int i = 0; i < 90; i++) a.push_front(at(a, 1) * .3 + at(a, 0) * .3);",
        "shift": "a.push_back(a[0] * a[1]); a.pop_front();",
    },
    "owner": {
        "inner": "NEXT(b); a.v.swap(b.v); a.scale = at(a, 1);",
        "grow": "for (int i = 0; i < 9; i++) a.v.push_back(a.v[i] * a.v[0]);",
    },
    "rows": {
        "grow": "a.push_back(a[1]); a[0][0] = a[2][0] * a[1][1];",
        "exchange": "std::swap(a[0], a[1]); a[0].push_back(a[1][0]); std::swap(a[0], a[1]);",
        "inner": "a[1].insert(a[1].begin(), a[0][0]);",
        "resize": "a.resize(20, std::vector<double>(3, a[0][0])); a[1][0] = a[9][1];",
    },
    "table": {
        "insert": "a[0] = {a.at(1)[0] * a.at(2)[0]}; a.at(1)[0] = a.at(0)[0];",
        "erase": "auto v = a.at(1); a.erase(1); v.push_back(v[0]); a[1] = v;",
        "inner": "a[1].push_back(3); a[2].insert(a[2].begin(), a[1][0]);",
    },
    "pair_of": {
        "members": "for (int i = 0; i < 3; i++) a.b[i] = a.a[i] * a.a[(i + 1) % 3]; std::swap(a.a, a.b);",
        "steps": "for (int s = 0; s < 3; s++) { for (int i = 0; i < 3; i++) a.b[i] = a.a[i] * a.a[(i + 1) % 3]; a.a.swap(a.b); }",
    },
    "plain": {
        "realloc": "a.p = (double *)realloc(a.p, 400); a.p[4] = a.p[0] * a.p[1]; a.p[0] = a.p[4];",
        "new": "NEXT(b); free(a.p); a.p = b.p;",
    },
}
_BODY = """static double CASE(S &a) {
  auto at = [](S &v, int k) -> double & { return as<S>::at(v, k); };
#define NEXT(b) S b = next(a)
  SEQUENCE
#undef NEXT
  double r = 0;
  for (int k = 0; k < 3; k++)
    r += std::sin(at(a, k)) * (k + 1);
  return r;
}
"""
_JUDGE = """
template <class S> static S next(S &a) {
  double x[3];
  for (int k = 0; k < 3; k++)
    x[k] = as<S>::at(a, k) * as<S>::at(a, (k + 1) % 3);
  return as<S>::make(x);
}
template <class S, double (*f)(S &)> static double value(int i, double h) {
  double x[3] = {.3, .8, 1.1};
  x[i] += h;
  S a = as<S>::make(x);
  return f(a);
}
/* The shadow is read through the container, and where its numbers lay before the gradient. */
template <class S, double (*f)(S &)> static void tried() {
  double x[3] = {.3, .8, 1.1}, none[3] = {0, 0, 0};
  S a = as<S>::make(x), d = as<S>::make(none);
  double *first[3];
  for (int i = 0; i < 3; i++)
    first[i] = &as<S>::at(d, i);
  __enzyme_autodiff<double>((void *)f, enzyme_dup, &a, &d);
  for (int i = 0; i < 3; i++) {
    double one[3] = {0, 0, 0}, want = (value<S, f>(i, 1e-5) - value<S, f>(i, -1e-5)) / 2e-5;
    one[i] = 1;
    S b = as<S>::make(x), t = as<S>::make(one);
    double forward = __enzyme_fwddiff<double>((void *)f, enzyme_dup, &b, &t);
    judge(as<S>::at(d, i), forward, want, 1e-6);
    if (&as<S>::at(d, i) != first[i])
      fprintf(stderr, "WRONG place of the shadow\\n");
  }
}
"""


def _neighbour(shape: str, name: str, sequence: str) -> Neighbour:
    type_ = _SHAPES[shape][0]
    body = (
        _BODY.replace("SEQUENCE", sequence)
        .replace("S &", "SHAPE &")
        .replace("<S>", "<SHAPE>")
        .replace(" S b", " SHAPE b")
    )
    text = f"#define SHAPE {type_}\n{body}#undef SHAPE\n"
    return Neighbour(f"{shape}-{name}", text, f"tried<{type_}, CASE>();")


CXX = Kind(
    "cxx",
    "".join([_HEAD, *(_of(*s) for s in _SHAPES.values()), _JUDGE]),
    tuple(
        _neighbour(s, n, q)
        for s in _SHAPES
        for n, q in (_SEQUENCES | _MORE.get(s, {})).items()
        if not (s == "unique_ptr" and n in ("copy", "only if"))
    ),
    ("-std=c++20",),
)
