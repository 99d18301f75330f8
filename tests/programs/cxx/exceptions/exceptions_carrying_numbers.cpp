/* Numbers that carry derivatives travel in the exception: in its members, through its base class, as a plain double. */
#include "../../check.h"

struct failure {
  double where;
  virtual double size() const { return where; }
  virtual ~failure() {}
};

struct big_failure : failure {
  double factor;
  double size() const override { return where * factor; }
};

NOINLINE static double root(double x) {
  if (x < 0) {
    failure e;
    e.where = x * x;
    throw e;
  }
  if (x > 4) {
    big_failure e;
    e.where = x, e.factor = sin(x);
    throw e;
  }
  if (x > 1)
    throw x * x * x;
  return sqrt(x);
}

static double f(double *x) {
  double s = 1;
  for (int k = 0; k < 4; k++)
    try {
      s *= root(x[k]);
    } catch (const failure &e) {
      s *= e.size();
    } catch (double d) {
      s += d * x[0];
    }
  return s;
}

int main() {
  CHECK(f, 0.5, -1.6, 5.7, 2.2);
  return failures;
}
