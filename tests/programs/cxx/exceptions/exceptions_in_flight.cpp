/* Destructors that ask for exceptions in flight: as guards do that undo or finish something, at each depth of them, while
 * another one is thrown and caught, behind a handler that throws again, and of a caller of the derivative. */
#include "../../check.h"
#include <exception>

struct Guard {
  double *s;
  ~Guard() { *s *= std::uncaught_exceptions() ? 2 : 1; }
};

NOINLINE static void risky(double *s, double x) {
  Guard g{s};
  if (x > 1) throw 1;
  *s += x;
}

static double plain(double *x) {
  double s = x[0];
  try {
    risky(&s, x[1]);
  } catch (int) {
    s += x[1];
  }
  return s;
}

/* undoes what was begun since the guard was made, if that ends by an exception */
struct Transaction {
  double *s, before;
  int count = std::uncaught_exceptions();
  Transaction(double *s) : s(s), before(*s) {}
  ~Transaction() {
    if (std::uncaught_exceptions() > count) *s = before;
  }
};

/* works with an exception of its own, while another one is in flight */
struct Cleaner {
  double *s, x;
  ~Cleaner() {
    double own = *s;
    try {
      Transaction t(&own);
      own *= x;
      if (x > 1) throw x;
      own *= x;
    } catch (double e) {
      own += e * std::uncaught_exceptions();
    }
    *s = own + x * std::uncaught_exceptions();
  }
};

NOINLINE static void begin(double *s, double x, bool fails) {
  Transaction t(s);
  *s = *s * x + 1;
  if (fails) throw x * x;
  *s *= 3;
}

static double nested(double *x) {
  double s = x[0] * x[1];
  for (int k = 0; k < 3; k++)
    try {
      Cleaner c{&s, x[k]};
      begin(&s, x[1], k == 1);
      begin(&s, x[2], k == 2);
      s += sin(x[2]);
    } catch (double e) {
      s += 0.1 * e * (1 + std::uncaught_exceptions());
    }
  return s;
}

struct Count {
  double *s, x;
  ~Count() { *s += x * (1 + std::uncaught_exceptions()); }
};

NOINLINE static void again(double *s, double x) {
  try {
    Count c{s, x};
    throw x;
  } catch (double e) {
    Count c{s, e * e}; // in a handler: none
    *s += e;
    throw; // one, when c is destroyed
  }
}

static double rethrown(double *x) {
  double s = x[0];
  for (int k = 0; k < 2; k++)
    try {
      Count c{&s, x[0]};
      again(&s, x[k]);
    } catch (double e) {
      s *= e + std::uncaught_exceptions();
    }
  return s;
}

/* the derivative runs in a destructor, while an exception of its caller is in flight */
struct Outside {
  double *seen;
  ~Outside() {
    static double x[] = {0.7, 1.2};
    double shadow[2] = {0};
    __enzyme_autodiff((void *)rethrown, enzyme_dup, x, shadow);
    seen[0] = shadow[0], seen[1] = shadow[1];
    seen[2] = rethrown(x);
  }
};

static void outside(void) {
  double seen[3], x[] = {0.7, 1.2}, h = 1e-6, differences[2];
  try {
    Outside o{seen};
    throw 1;
  } catch (int) {
  }
  struct Differences {
    double *x, h, *out;
    ~Differences() {
      for (int k = 0; k < 2; k++) {
        double y[] = {x[0], x[1]}, z[] = {x[0], x[1]};
        y[k] += h, z[k] -= h;
        out[k] = (rethrown(y) - rethrown(z)) / (2 * h);
      }
    }
  };
  try {
    Differences d{x, h, differences};
    throw 1;
  } catch (int) {
  }
  for (int k = 0; k < 2; k++) same("outside", k, seen[k], differences[k], 1e-6);
}

int main() {
  CHECK(plain, 0.5, 1.6);
  CHECK(plain, 0.5, 0.6);
  CHECK(nested, 0.4, 1.3, 0.8);
  CHECK(nested, 1.4, 0.3, 1.8);
  CHECK(rethrown, 0.7, 1.2);
  outside();
  return failures;
}
