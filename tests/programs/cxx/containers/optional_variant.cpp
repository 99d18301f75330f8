/* optional, variant, any, tuple, pair and structured bindings that hold active numbers. */
#include "../../check.h"
#include <any>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

NOINLINE static std::optional<double> root(double x) {
  if (x < 0)
    return std::nullopt;
  return sqrt(x);
}

static double optional(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    if (auto r = root(x[i]))
      s += *r * (i + 1);
    else
      s += root(-x[i]).value_or(0.0) * x[0];
  std::optional<std::vector<double>> many;
  many.emplace(4, x[1]);
  return s * many->back() * many.value()[1];
}

struct disc {
  double radius;
};
struct box {
  double width, height;
};

NOINLINE static double area(const std::variant<disc, box> &shape) {
  if (const auto *d = std::get_if<disc>(&shape))
    return 3 * d->radius * d->radius;
  const auto &b = std::get<box>(shape);
  return b.width * b.height;
}

static double variant(double *x) {
  std::vector<std::variant<disc, box>> shapes{disc{x[0]}, box{x[1], x[2]}, box{x[0], x[2]}};
  double s = 0;
  for (const auto &shape : shapes)
    s += area(shape) * area(shape);
  shapes[1] = disc{x[2]};
  return s + std::visit(
                 [](const auto &v) {
                   if constexpr (sizeof v == sizeof(disc))
                     return v.radius;
                   else
                     return v.width;
                 },
                 shapes[1]);
}

NOINLINE static std::tuple<double, double, int> split(double a, double b) { return {a * b, a + b, 3}; }
NOINLINE static std::pair<double, int> scaled(double a, int n) { return {a * n, n + 1}; }

static double tuples(double *x) {
  auto [product, sum, count] = split(x[0], x[1]);
  auto [value, n] = scaled(x[2], count);
  double a, b;
  std::tie(a, b, std::ignore) = split(value, product);
  std::pair<double, double> p{a, b}, q = p;
  std::swap(p.first, q.second);
  auto joined = std::tuple_cat(std::make_tuple(sum), p);
  return std::get<0>(joined) * std::get<1>(joined) + std::get<2>(joined) * q.second * n;
}

/* An expression: a number, a place in x, or a node with expressions of its own. */
struct Product;
struct Negation;
using Expression = std::variant<double, int, std::unique_ptr<Product>, std::unique_ptr<Negation>>;
struct Product {
  char with_sine;
  Expression left, right;
};
struct Negation {
  Expression inner;
};

static double value(const Expression &e, const double *x) {
  struct {
    const double *x;
    double operator()(double number) const { return number; }
    double operator()(int place) const { return x[place]; }
    double operator()(const std::unique_ptr<Negation> &n) const { return -value(n->inner, x); }
    double operator()(const std::unique_ptr<Product> &p) const {
      double product = value(p->left, x) * value(p->right, x);
      return p->with_sine ? sin(product) : product;
    }
  } visitor{x};
  return std::visit(visitor, e);
}

static Expression times(bool with_sine, Expression a, Expression b) {
  return std::make_unique<Product>(Product{with_sine, std::move(a), std::move(b)});
}

static double expression(double *x) {
  Expression e = times(true, times(false, 0, 1), std::make_unique<Negation>(Negation{times(false, x[2] * 2, 2)}));
  double s = value(e, x);
  Expression twice = times(false, std::move(e), 2.0);
  return s + value(twice, x);
}

static double anything(double *x) {
  std::any a = x[0] * x[1];
  double s = std::any_cast<double>(a);
  a = std::vector<double>{x[1], x[2]};
  return s * std::any_cast<std::vector<double> &>(a)[1];
}

int main() {
  CHECK(optional, 0.5, -1.6, 0.7);
  CHECK(variant, 0.5, 1.6, 0.7);
  CHECK(tuples, 0.5, 1.6, 0.7);
  CHECK(expression, 0.5, 1.6, 0.7);
  CHECK(anything, 0.5, 1.6, 0.7);
  return failures;
}
