/* What destroys an exception has a body of its own, not inline, under two names; it changes numbers when a handler ends,
 * and may itself throw and catch. */
#include "../../check.h"

class counted {
public:
  double value, *ends;
  counted(double v, double *e);
  counted(const counted &other);
  virtual ~counted();
};

counted::counted(double v, double *e) : value(v * v), ends(e) {}
counted::counted(const counted &other) : value(2 * other.value), ends(other.ends) {}
counted::~counted() {
  try {
    if (value > 1)
      throw value;
    *ends += value;
  } catch (double d) {
    *ends *= d;
  }
}

NOINLINE static void risky(double x, double *ends, int k) {
  counted c(x, ends);
  if (k == 0)
    throw c;
  if (k == 1)
    throw counted(x + 1, ends);
}

static double f(double *x) {
  double ends = x[2], s = 0;
  for (int k = 0; k < 3; k++) {
    try {
      risky(x[k], &ends, k);
      s += x[1];
    } catch (const counted &c) {
      s += c.value;
    }
    s *= ends;
  }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
