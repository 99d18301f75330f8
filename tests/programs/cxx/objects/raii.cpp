/* Destructors with effects: a guard that restores, one that adds on leaving a scope, early returns, loops. */
#include "../../check.h"

struct restore {
  double &place;
  double before;
  explicit restore(double &p) : place(p), before(p) {}
  ~restore() { place = before; }
};

struct adds {
  double *sum;
  double amount;
  ~adds() { *sum += amount * amount; }
};

NOINLINE static double inner(double &a, double b, double *sum) {
  restore r(a);
  adds s{sum, b};
  a *= b;
  if (a > 1)
    return a * a;
  s.amount *= a;
  return a;
}

static double f(double *x) {
  double a = x[0], sum = 0;
  double s = inner(a, x[1], &sum) + inner(a, x[2], &sum);
  for (int i = 0; i < 3; i++) {
    adds d{&sum, x[i]};
    if (x[i] < 0.6)
      continue;
    d.amount = sum;
  }
  return s * sum * a;
}

int main() {
  CHECK(f, 0.5, 2.6, 0.7);
  return failures;
}
