/* Variants, optionals and structs of these are exchanged and moved: arrays, numbers and pointers under an index. */
#include "../../check.h"
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

using Triple = std::array<double, 3>;
using Value = std::variant<double, Triple, std::unique_ptr<double>>;

static Value made(double x, int kind) {
  switch (kind) {
  case 0:
    return x * x;
  case 1:
    return Triple{x, 2 * x, x * x * x};
  default:
    return std::make_unique<double>(3 * x);
  }
}

static double number(const Value &v) {
  if (v.index() == 2)
    return *std::get<2>(v);
  return v.index() ? std::get<1>(v)[2] : std::get<0>(v);
}

static double exchanged(double *x) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      Value a = made(x[0], i), b = made(x[1], j);
      std::swap(a, b);
      sum += number(a) * (i + 1) + number(b) * number(b) * (j + 2);
    }
  return sum;
}

static double moved(double *x) {
  Value a = made(x[0], 1), b = std::move(a), c = made(x[1], 0);
  c = std::move(b);
  Value d = made(x[1], 2);
  d = std::move(c);
  c = made(x[0], 2);
  return number(d) * number(c);
}

static double in_vector(double *x) {
  std::vector<Value> values;
  for (int i = 0; i < 6; i++)
    values.push_back(made(x[i % 2] * (i + 1), i % 3));
  std::swap(values[0], values[4]);
  std::rotate(values.begin(), values.begin() + 2, values.end());
  double sum = 0;
  for (unsigned i = 0; i < values.size(); i++)
    sum += (i + 1) * number(values[i]);
  return sum;
}

struct Member {
  double mass;
  std::optional<Value> value;
  int count;
};

static double in_struct(double *x) {
  Member a{x[0], made(x[1], 1), 2}, b{x[1], std::nullopt, 3};
  std::swap(a, b);
  std::optional<Triple> t = Triple{x[0], x[1], 1}, u;
  std::swap(t, u);
  return a.mass * b.count + number(*b.value) * b.mass * (*u)[1] + (t ? 1 : 0);
}

int main() {
  CHECK(exchanged, 1.3, 0.7);
  CHECK(moved, 1.3, 0.7);
  CHECK(in_vector, 1.3, 0.7);
  CHECK(in_struct, 1.3, 0.7);
  return failures;
}
