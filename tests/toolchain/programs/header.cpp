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
  auto [da, db, dc] = of_mixed;
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
  in_forward();
  return failures;
}
