/* Exceptions that carry numbers beside others that do not, ours and the library's, under one handler. */
#include "../../check.h"
#include <stdexcept>
#include <vector>

struct failure {
  double where;
};

NOINLINE static double root(double x, int k) {
  if (k == 0)
    throw failure{x * x};
  if (k == 1)
    throw std::domain_error("k");
  if (k == 2) {
    std::vector<double> v(2, x);
    return v.at(k);
  }
  if (k == 3)
    throw 4;
  if (k == 4)
    throw 2 * x;
  return sqrt(x);
}

static double f(double *x) {
  double s = 1;
  for (int k = 0; k < 6; k++)
    try {
      s *= root(x[k % 3], k);
    } catch (const failure &e) {
      s *= e.where;
    } catch (const std::exception &e) {
      s += x[0] * (e.what()[0] == 'k') + sin(x[1]) * (e.what()[0] == 'v');
    } catch (double d) {
      s += d * x[0];
    } catch (...) {
      s *= x[2];
    }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 5.7);
  return failures;
}
