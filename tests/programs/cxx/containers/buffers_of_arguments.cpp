/* Containers that are arguments get other buffers: after a gradient, their shadows are what they were, with the
 * derivative, and own their memory. In one call, in two halves, with several directions, twice, beside a global; second
 * derivatives by forward mode over reverse.
 */
#include "../../check.h"
#include <array>
#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

template <class R, class... T> R __enzyme_autodiff(void *, T...);
template <class R, class... T> R __enzyme_fwddiff(void *, T...);
template <class R, class... T> R __enzyme_augmentfwd(void *, T...);
template <class R, class... T> R __enzyme_reverse(void *, T...);
extern int enzyme_width, enzyme_nofree;

using Vector = std::vector<double>;
enum { N = 4 };
static const double point[N] = {.3, .8, 1.1, .6};

template <class C> double sum(const C &c) {
  double s = 0, k = 1;
  for (double x : c) s += sin(x) * k++;
  return s;
}
static Vector next(const Vector &v) {
  Vector w(v.size());
  for (size_t i = 0; i < v.size(); i++) w[i] = sin(v[i]) * v[(i + 1) % v.size()];
  return w;
}

/* An argument with the numbers x, and the i-th number of its shadow. */
template <class A> struct Numbers {
  static A with(const double *x) { return A(x, x + N); }
  static double &in(A &a, int i) { return *std::next(a.begin(), i); }
  static size_t count(const A &a) { return std::distance(a.begin(), a.end()); }
};

static double swapped(Vector &v) {
  Vector w(N);
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < N; i++) w[i] = sin(v[i]) + v[(i + 1) % N] * .3;
    v.swap(w);
  }
  return sum(v);
}
static double assigned(Vector &v) {
  for (int k = 0; k < 3; k++) v = next(v);
  Vector longer(v);
  longer.push_back(v[0] * v[1]);
  v = longer;
  return sum(v);
}
static double grown(Vector &v) {
  for (int k = 0; k < 9; k++) v.push_back(v[k] * v[k + 1]);
  v.insert(v.begin(), v[0] * v[2]);
  return sum(v);
}
static double cleared(Vector &v) {
  Vector w = next(v);
  v.clear();
  v.shrink_to_fit();
  for (double x : w) v.push_back(x);
  return sum(v);
}
static double emptied(Vector &v) {
  Vector w = std::move(v);
  return sum(next(w));
}
static Vector work;
static double beside_global(Vector &v) {
  work.push_back(v[0]);
  v = next(v);
  work.assign(v.begin(), v.end());
  work.push_back(v[0] * v[1]);
  v.assign(work.begin(), work.end());
  return sum(v) + sum(work);
}
NOINLINE static double in_steps(Vector &v, Vector &w, int n) {
  if (!n) return sum(v);
  for (int i = 0; i < N; i++) w[i] = sin(v[i]) * v[(i + 1) % N];
  std::swap(v, w);
  return v[0] + in_steps(v, w, n - 1);
}
static double in_calls(Vector &v) {
  Vector w(N);
  return in_steps(v, w, 3) + in_steps(w, v, 2);
}

using List = std::list<double>;
static double linked(List &l) {
  l.push_front(l.front() * l.back());
  l.erase(std::next(l.begin()));
  List other{l.front() * l.back(), 1};
  l.splice(std::next(l.begin()), other);
  l.push_back(l.front() * l.back());
  return sum(l);
}

struct Rows : std::vector<Vector> {};
template <> struct Numbers<Rows> {
  static Rows with(const double *x) { return {{{x, x + 2}, {x + 2, x + 4}}}; }
  static double &in(Rows &a, int i) { return a[i / 2][i % 2]; }
  static size_t count(const Rows &a) { return a.size() * a[0].size(); }
};
static double rows(Rows &r) {
  std::swap(r[0], r[1]);
  for (int k = 0; k < 3; k++) r.push_back(Vector{r[0][0] * r[1][1], r[k][0]});
  r[1].push_back(r[1][0] * r[2][0]);
  r[0] = r[1];
  double s = 0;
  for (auto &row : r) s = 2 * s + sum(row);
  return s;
}

struct Buffers {
  std::unique_ptr<double[]> now, later;
};
template <> struct Numbers<Buffers> {
  static Buffers with(const double *x) {
    Buffers b{std::make_unique<double[]>(N), std::make_unique<double[]>(N)};
    memcpy(b.now.get(), x, N * sizeof *x);
    return b;
  }
  static double &in(Buffers &b, int i) { return b.now[i]; }
  static size_t count(const Buffers &) { return N; }
};
static double exchanged(Buffers &b) {
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < N; i++) b.later[i] = sin(b.now[i]) * b.now[(i + 1) % N];
    b.now.swap(b.later);
  }
  double last = b.now[0] * b.now[1];
  b.later.reset(new double[1]{last});
  return b.now[2] + b.now[3] * b.later[0];
}

template <class A> void differences(double (*f)(A &), double *by) {
  const double h = 1e-6;
  for (int i = 0; i < N; i++) {
    double up[N], down[N];
    memcpy(up, point, sizeof up), memcpy(down, point, sizeof down);
    up[i] += h, down[i] -= h;
    A a = Numbers<A>::with(up), b = Numbers<A>::with(down);
    by[i] = (f(a) - f(b)) / (2 * h);
  }
}
template <class A> void compare(const char *name, A &shadow, const double *want) {
  same(name, -1, Numbers<A>::count(shadow), N, 0);
  for (int i = 0; i < N && Numbers<A>::count(shadow) == N; i++) same(name, i, Numbers<A>::in(shadow, i), want[i], 1e-7);
}

template <class A, double (*f)(A &)> void check(const char *name) {
  const double zeros[N] = {0};
  for (int k = 0; k < 2; k++) { // a second time, after all that the first one has left
    double want[N];
    A a = Numbers<A>::with(point), shadow = Numbers<A>::with(zeros);
    __enzyme_autodiff<double>((void *)f, enzyme_dup, &a, &shadow);
    differences<A>(f, want);
    compare(name, shadow, want);
  }
}

struct Halves {
  void *tape;
  double value;
};
static void in_halves() {
  double want[N];
  differences<Vector>(assigned, want);
  Vector v(point, point + N), d(N);
  auto half = __enzyme_augmentfwd<Halves>((void *)assigned, enzyme_dup, &v, &d);
  SAME(d.size(), N + 1); // between the halves, the shadow goes with the argument: seeds may be put there
  __enzyme_reverse<double>((void *)assigned, enzyme_nofree, enzyme_dup, &v, &d, 1.0, half.tape);
  compare("first half reversed", d, want);
  for (double &x : d) x = 0;
  __enzyme_reverse<double>((void *)assigned, enzyme_dup, &v, &d, 1.0, half.tape);
  compare("and again", d, want);
  Vector w(point, point + N), first(N), second(N);
  __enzyme_autodiff<std::array<double, 2>>((void *)assigned, enzyme_width, 2, enzyme_dup, &w, &first, &second);
  compare("first direction", first, want);
  compare("second direction", second, want);
}

static double slope(Vector &v, Vector &d) {
  __enzyme_autodiff<double>((void *)assigned, enzyme_dup, &v, &d);
  return d[0] + 2 * d[1] + 3 * d[2] + 4 * d[3];
}
static void twice() {
  for (int i = 0; i < N; i++) {
    const double h = 1e-5;
    Vector up(point, point + N), down(up), v(up), direction(N), d1(N), d2(N), d(N), tangent(N);
    up[i] += h, down[i] -= h, direction[i] = 1;
    double got = __enzyme_fwddiff<double>((void *)slope, enzyme_dup, &v, &direction, enzyme_dup, &d, &tangent);
    same("second derivative", i, got, (slope(up, d1) - slope(down, d2)) / (2 * h), 1e-6);
  }
}

/* An argument that is empty at first keeps its new buffer, and its shadow has one, too. */
static double filled(Vector &v, Vector &w) {
  v.clear();
  for (int k = 0; k < 20; k++) v.push_back(sin(w[k % N]) * (k ? v[k - 1] : 1));
  return sum(v);
}
static double filled_by(Vector &w) {
  Vector v;
  return filled(v, w);
}
static void empty_at_first() {
  double want[N];
  differences<Vector>(filled_by, want);
  Vector v, d, w(point, point + N);
  for (int k = 0; k < 3; k++) {
    Vector dw(N);
    std::fill(d.begin(), d.end(), 0);
    __enzyme_autodiff<double>((void *)filled, enzyme_dup, &v, &d, enzyme_dup, &w, &dw);
    compare("empty at first", dw, want);
  }
}

int main() {
  check<Vector, swapped>("swapped");
  check<Vector, assigned>("assigned");
  check<Vector, grown>("grown");
  check<Vector, cleared>("cleared");
  check<Vector, emptied>("emptied");
  check<Vector, beside_global>("beside a global");
  check<Vector, in_calls>("in calls");
  check<List, linked>("list");
  check<Rows, rows>("rows");
  check<Buffers, exchanged>("buffers");
  in_halves();
  twice();
  empty_at_first();
  return failures;
}
