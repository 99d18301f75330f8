/* Exceptions out of virtual methods, function pointers and lambdas, out of recursion, and out of functions that return
 * structs and vectors. */
#include "../../check.h"
#include <vector>

struct deep {
  double at;
  int depth;
};

struct shape {
  virtual double area(double x) const { return x; }
  virtual ~shape() {}
};

struct square : shape {
  double area(double x) const override {
    if (x > 1)
      throw deep{x * x, 1};
    return x * x;
  }
};

struct circle : shape {
  double area(double x) const override { return 3 * x * x; }
};

NOINLINE static double fall(double x, int n) {
  if (n == 0)
    throw deep{x, n};
  struct on_exit {
    double &x;
    ~on_exit() { x *= 0.5; }
  } e{x};
  return fall(x * sin(x + n), n - 1) * x;
}

NOINLINE static double twice(double x) { return 2 * x; }
NOINLINE static double thrown(double x) { throw x; }
static double (*table[])(double) = {twice, thrown};

struct pair {
  double a, b, c;
};

NOINLINE static pair both(double x, double y) {
  if (x > y)
    throw x - y;
  return {x * y, x + y, 2 * x};
}

NOINLINE static std::vector<double> several(double x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; i++) {
    if (i == 3)
      throw v;
    v.push_back(x * i);
  }
  return v;
}

template <class F> NOINLINE static double guarded(F g) {
  try {
    return g();
  } catch (double d) {
    return d * d;
  } catch (const std::vector<double> &v) {
    return v[2] * v.size();
  } catch (deep d) {
    d.at *= 1 + d.depth;
    return d.at;
  }
}

static double f(double *x) {
  shape s;
  square q;
  circle c;
  const shape *shapes[] = {&s, &q, &c};
  double sum = 0;
  for (int k = 0; k < 6; k++) {
    sum += guarded([&] { return shapes[k % 3]->area(x[k % 2]) * x[2]; });
    sum += guarded([&] { return table[k % 2](x[2] * k); });
    sum *= guarded([&] { return both(x[k % 2], x[2]).b; });
    sum += guarded([&] { return several(x[0], k + 1)[0] + sum; });
  }
  return sum + guarded([&] { return fall(x[0], 4); });
}

int main() {
  CHECK(f, 0.5, 1.3, 0.7);
  return failures;
}
