/* Virtual methods: active fields, a base's implementation called from the override, pointers to the base. */
#include "../../check.h"
#include <memory>
#include <vector>

struct shape {
  double scale;
  explicit shape(double s) : scale(s) {}
  virtual ~shape() = default;
  virtual double area() const { return scale; }
  virtual void grow(double by) { scale *= by; }
};

struct circle : shape {
  double radius;
  circle(double s, double r) : shape(s), radius(r) {}
  double area() const override { return shape::area() * radius * radius * 3.0; }
};

struct square : shape {
  double side;
  square(double s, double a) : shape(s), side(a) {}
  double area() const override { return scale * side * side; }
  void grow(double by) override {
    shape::grow(by);
    side += by;
  }
};

NOINLINE static double total(const std::vector<std::unique_ptr<shape>> &all) {
  double sum = 0;
  for (const auto &one : all)
    sum += sin(one->area());
  return sum;
}

static double f(double *x) {
  std::vector<std::unique_ptr<shape>> all;
  all.push_back(std::make_unique<circle>(x[0], x[1]));
  all.push_back(std::make_unique<square>(x[1], x[2]));
  all.push_back(std::make_unique<shape>(x[2]));
  double first = total(all);
  for (auto &one : all)
    one->grow(x[3]);
  return first * total(all);
}

int main() {
  CHECK(f, 0.5, 0.6, 0.7, 1.3);
  CHECK(f, -0.5, 0.3, 1.1, 0.8);
  return failures;
}
