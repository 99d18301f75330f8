/* Exceptions thrown and caught inside f: by type, by base class, by `...`; the handler that matches decides the result. */
#include "../../check.h"
#include <stdexcept>

struct plain {};

NOINLINE static double risky(double x, int k) {
  if (k == 1)
    throw std::domain_error("k is 1");
  if (k == 2)
    throw std::out_of_range("k is 2");
  if (k == 3)
    throw plain();
  if (k == 4)
    throw 4;
  return x * x;
}

static double f(double *x) {
  double s = 0;
  for (int k = 0; k < 5; k++) {
    s *= 1 + x[0];
    try {
      s += risky(x[1], k);
    } catch (const std::domain_error &) {
      s += sin(x[1]);
    } catch (const std::exception &) {
      s += x[2] * x[0];
    } catch (int n) {
      s += n * x[1];
    } catch (...) {
      s *= x[2];
    }
  }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
