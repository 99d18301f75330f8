// <enzyme/enzyme>: every kind of argument and result, both modes, functions and function objects.
#include "../../programs/check.h"
#include <enzyme/enzyme>
#include <vector>

using enzyme::Active, enzyme::Const, enzyme::Duplicated, enzyme::DuplicatedNoNeed;
using enzyme::Forward, enzyme::ForwardWithPrimal, enzyme::Reverse, enzyme::ReverseWithPrimal;

static double square(double x) { return x * x; }
static double mixed(float a, double b, int n, double c) { return a * b * n + sin(c); }
static double of_memory(const double *x, double &y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * y;
  y *= 2;
  return s;
}
struct point {
  double x, y;
};
static double norm2(point p, double scale) { return scale * (p.x * p.x + p.y * p.y); }
static point polar(double r, double phi) { return {r * cos(phi), r * sin(phi)}; }
static void store(const double *x, double *out) { out[0] = x[0] * x[0]; }
static int count(double x) { return x > 0; }
static double of_vector(const std::vector<double> &v) {
  double s = 0;
  for (double e : v)
    s += e * e * e;
  return s;
}

static void in_reverse() {
  auto nested = enzyme::autodiff<Reverse>(square, Active<double>{3.1});
  SAME(enzyme::get<0>(enzyme::get<0>(nested)), 6.2);
  auto [derivatives, value] = enzyme::autodiff<ReverseWithPrimal>(square, Active<double>(3.0));
  SAME(enzyme::get<0>(derivatives), 6);
  SAME(value, 9);
  auto [of_mixed, primal] = enzyme::autodiff<ReverseWithPrimal>(mixed, Active{2.0f}, Active{3.0}, Const{4}, Active{1.0});
  auto [da, db, of_n, dc] = of_mixed;
  static_assert(std::is_same_v<decltype(of_n), enzyme::nodiff>);
  static_assert(std::is_same_v<decltype(da), float>);
  SAME(da, 12);
  SAME(db, 8);
  SAME(dc, cos(1));
  SAME(primal, 24 + sin(1));
  double x[] = {1, 2, 3}, dx[3] = {0}, y = 5, dy = 0;
  enzyme::autodiff<Reverse>(of_memory, Duplicated<const double *>{x, dx}, Duplicated<double &>{y, dy}, Const{3});
  SAME(dx[2], 30);
  SAME(dy, 14);
  SAME(y, 10);
  auto [dp, dscale] = enzyme::get<0>(enzyme::autodiff<Reverse>(norm2, Active{point{3, 4}}, Active{2.0}));
  SAME(dp.x, 12);
  SAME(dp.y, 16);
  SAME(dscale, 25);
  double out = 0, dout = 1, in = 3, din = 0;
  enzyme::autodiff<Reverse>(store, Duplicated<const double *>{&in, &din}, DuplicatedNoNeed<double *>{nullptr, &dout});
  SAME(din, 6);
  SAME(out, 0);
  std::vector<double> v = {1, 2}, dv(2);
  enzyme::autodiff<Reverse>(of_vector, Duplicated<const std::vector<double> &>{v, dv});
  SAME(dv[1], 12);
  auto [unseeded] = enzyme::autodiff<Reverse, Const<double>>(square, Active{3.0});
  SAME(enzyme::get<0>(unseeded), 0);
}

static void of_objects() {
  double factor = 7;
  auto scaled = [factor](double x, const double *w) { return factor * x * w[0]; };
  double w = 2, dw = 0;
  auto [d] = enzyme::autodiff<Reverse>(scaled, Active{3.0}, Duplicated<const double *>{&w, &dw});
  SAME(enzyme::get<0>(d), 14);
  SAME(dw, 21);
  auto [tangent] = enzyme::autodiff<Forward>([](double x) { return x * x * x; }, Duplicated{2.0, 1.0});
  SAME(tangent, 12);
}

struct rule {
  double factor;
  int calls = 0;
  double operator()(double x) {
    calls++;
    return factor * x * x;
  }
  double weighted(double x, const double &w) const { return factor * x * w; }
};
static void of_members() {
  rule r{3};
  auto [d] = enzyme::autodiff<Reverse>(r, Active{2.0});
  SAME(enzyme::get<0>(d), 12);
  SAME(r.calls, 1);
  const rule fixed{5};
  double w = 7, dw = 0;
  auto [dm] = enzyme::autodiff<Reverse>(&rule::weighted, Const<const rule &>{fixed}, Active{2.0},
                                        Duplicated<const double &>{w, dw});
  SAME(enzyme::get<1>(dm), 35);
  SAME(dw, 10);
  rule dr{0};
  auto [tangent] = enzyme::autodiff<Forward>(&rule::weighted, Duplicated<const rule &>{fixed, dr},
                                             Duplicated{2.0, 1.0}, Const<const double &>{w});
  SAME(tangent, 35);
  auto constant = [&w](double x) { return w * x * x; };
  auto [dc] = enzyme::autodiff<Reverse>(+[](double x) { return x * x; }, Active{4.0});
  auto [dl] = enzyme::autodiff<Reverse>(std::as_const(constant), Active{4.0});
  SAME(enzyme::get<0>(dc), 8);
  SAME(enzyme::get<0>(dl), 56);
}

// The derivatives have an entry for each argument.
static double by_place(int n, double x, const double *w, float y, double &z) { return n * x * w[0] * y * z; }
static void of_places() {
  double w = 3, dw = 0, z = 5, dz = 0;
  auto [all, value] =
      enzyme::autodiff<ReverseWithPrimal>(by_place, Const{2}, Active{7.0}, Duplicated<const double *>{&w, &dw},
                                          Active{11.0f}, Duplicated<double &>{z, dz});
  static_assert(std::is_same_v<decltype(all), enzyme::tuple<enzyme::nodiff, double, const double *, float, double &>>);
  SAME(enzyme::get<1>(all), 2 * 3 * 11 * 5);
  SAME(*enzyme::get<2>(all), 2 * 7 * 11 * 5);
  SAME(enzyme::get<3>(all), 2 * 7 * 3 * 5);
  SAME(enzyme::get<4>(all), 2 * 7 * 3 * 11);
  SAME(dw, 2 * 7 * 11 * 5);
  SAME(value, 2 * 7 * 3 * 11 * 5);
  auto [of_void, nothing] = enzyme::autodiff<ReverseWithPrimal>(store, Duplicated<const double *>{&w, &dw},
                                                                Duplicated<double *>{&z, &dz});
  static_assert(std::is_same_v<decltype(nothing), enzyme::nodiff>);
  SAME(dw, 2 * 7 * 11 * 5 + 2 * 3 * 2 * 7 * 3 * 11);
  (void)of_void;
}

// What is returned in forward mode, by the activity of the result.
static const double *later(const double *x, int n) { return x + n; }
static void of_activities() {
  enzyme::tuple<double, double> both = enzyme::autodiff<Forward, Duplicated<double>>(square, Duplicated{3.0, 1.0});
  SAME(enzyme::get<0>(both), 9);
  SAME(enzyme::get<1>(both), 6);
  enzyme::tuple<double> one = enzyme::autodiff<Forward, DuplicatedNoNeed<double>>(square, Duplicated{3.0, 1.0});
  SAME(enzyme::get<0>(one), 6);
  enzyme::tuple<double> primal = enzyme::autodiff<Forward, Const<double>>(square, Duplicated{3.0, 1.0});
  SAME(enzyme::get<0>(primal), 9);
  enzyme::tuple<point> of_struct = enzyme::autodiff<Forward>(polar, Duplicated{2.0, 1.0}, Const{0.5});
  SAME(enzyme::get<0>(of_struct).x, 2 * cos(0.5));
  auto [p, dp] = enzyme::autodiff<Forward, Duplicated<point>>(polar, Duplicated{2.0, 0.0}, Duplicated{0.5, 1.0});
  SAME(p.x, 2 * cos(0.5));
  SAME(dp.x, -2 * sin(0.5));
  auto [only] = enzyme::autodiff<Forward, DuplicatedNoNeed<point>>(polar, Duplicated{2.0, 0.0}, Duplicated{0.5, 1.0});
  SAME(only.y, 2 * cos(0.5));
  auto [n, dn] = enzyme::autodiff<Forward, Duplicated<int>>(count, Duplicated{3.0, 1.0});
  SAME(n, 1);
  SAME(dn, 0);
  auto [m] = enzyme::autodiff<Forward>(count, Duplicated{3.0, 1.0});
  SAME(m, 1);
  double x[] = {1, 2}, dx[] = {3, 4};
  auto [at] = enzyme::autodiff<Forward>(later, Duplicated<const double *>{x, dx}, Const{1});
  SAME(*at, 2);
  auto [at2, dat] = enzyme::autodiff<Forward, Duplicated<const double *>>(later, Duplicated<const double *>{x, dx}, Const{1});
  SAME(*at2, 2);
  SAME(*dat, 4);
  auto [unseeded, kept] = enzyme::autodiff<ReverseWithPrimal, Const<double>>(square, Active{3.0});
  SAME(enzyme::get<0>(unseeded), 0);
  SAME(kept, 9);
}

// Results that own memory.
static std::vector<double> scaled(const std::vector<double> &v, double a) {
  std::vector<double> r(v);
  for (double &e : r)
    e *= a * a;
  return r;
}
static std::vector<double> copied(const std::vector<double> &v) { return v; }
static std::vector<std::vector<double>> rows(double x) { return {{x, 2 * x}, {x * x}}; }
static std::vector<double> pushed(double x, double *out) {
  *out = x * x;
  return {x, x * x};
}
static void of_vectors() {
  std::vector<double> v = {3.4, 5.7}, dv = {9.2, 11.3};
  using V = std::vector<double>;
  auto [r, dr] = enzyme::autodiff<Forward, Duplicated<V>>(scaled, Duplicated<const V &>{v, dv}, Duplicated{2.0, 1.0});
  SAME(r[1], 22.8);
  SAME(dr[0], 9.2 * 4 + 3.4 * 4);
  SAME(dr[1], 11.3 * 4 + 5.7 * 4);
  auto dc = enzyme::get<0>(
      enzyme::autodiff<Forward, DuplicatedNoNeed<V>>(copied, Duplicated<const V &>(v, dv)));
  SAME(dc.size(), 2);
  SAME(dc[1], 11.3);
  auto [c] = enzyme::autodiff<Forward>(copied, Duplicated<const V &>(v, dv));
  SAME(c[1], 5.7);
  auto [m, dm] = enzyme::autodiff<ForwardWithPrimal>(rows, Duplicated{3.0, 1.0});
  SAME(m[1][0], 9);
  SAME(dm[0][1], 2);
  SAME(dm[1][0], 6);
  double out = 0, dout = 1;
  auto [dx, value] = enzyme::autodiff<ReverseWithPrimal, Const<V>>(pushed, Active{3.0}, Duplicated<double *>{&out, &dout});
  SAME(enzyme::get<0>(dx), 6);
  SAME(value[1], 9);
}

static void in_forward() {
  auto [tangent] = enzyme::autodiff<Forward>(square, Duplicated<double>{3.1, 2.0});
  SAME(tangent, 12.4);
  auto [value, slope] = enzyme::autodiff<ForwardWithPrimal>(square, Duplicated{3.0, 1.0});
  SAME(value, 9);
  SAME(slope, 6);
  auto [p, dp] = enzyme::autodiff<ForwardWithPrimal>(polar, Duplicated{2.0, 1.0}, Const{0.5});
  SAME(p.y, 2 * sin(0.5));
  SAME(dp.x, cos(0.5));
  double x = 3, dx = 1, out = 0, dout = 0;
  enzyme::autodiff<Forward>(store, Duplicated<const double *>{&x, &dx}, Duplicated<double *>{&out, &dout});
  SAME(out, 9);
  SAME(dout, 6);
  auto [n] = enzyme::autodiff<ForwardWithPrimal>(count, Duplicated{2.0, 1.0});
  SAME(n, 1);
  auto [of_point] = enzyme::autodiff<Forward>(norm2, Duplicated{point{3, 4}, point{1, 0}}, Const{2.0});
  SAME(of_point, 12);
}

int main() {
  in_reverse();
  of_objects();
  of_members();
  of_places();
  of_activities();
  of_vectors();
  in_forward();
  return failures;
}
