/* std::complex<double>: arithmetic, functions, containers. */
#include "../../check.h"
#include <complex>
#include <vector>

using number = std::complex<double>;

NOINLINE static number horner(const std::vector<number> &c, number z) {
  number s = 0;
  for (const number &a : c)
    s = s * z + a;
  return s;
}

static double f(double *x) {
  number z{x[0], x[1]}, w = std::polar(x[2], x[0]);
  std::vector<number> c{{1, x[2]}, z * w, w / z, 2.0 * w};
  number p = horner(c, z) + std::exp(z) * std::conj(w) + std::sqrt(z) + std::log(w) + std::pow(z, 3);
  p *= number(0, 1);
  p /= 1.0 + z;
  return std::abs(p) + std::norm(w) * std::arg(z) + p.real() * std::imag(p);
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
