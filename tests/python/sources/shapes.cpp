// C++ functions, for tests/python: classes of the library and exceptions inside, names with namespaces, overloads.
#include "square.hpp"
#include <cmath>
#include <complex>
#include <stdexcept>
#include <vector>

namespace physics {
double energy(const double *x, int n) {
  std::vector<double> copy(x, x + n);
  double s = 0;
  for (double y : copy)
    s += square(y) * std::sin(y);
  return s;
}
} // namespace physics

double caught(const double &x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    try {
      if (i % 2)
        throw std::runtime_error("odd");
      s += x * x;
    } catch (const std::exception &) {
      s += x;
    }
  }
  return s;
}

double thrown(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return std::sqrt(x);
}

void squared(const std::complex<double> *a, int n, std::complex<double> *b) {
  for (int i = 0; i < n; i++)
    b[i] = a[i] * a[i];
}

double overloaded(double x) { return x * x; }
float overloaded(float x) { return x * x; }

static double hidden(double x) { return x; }
double shown(double x) { return hidden(x); }

double of_vector(const std::vector<double> &v) { return v[0]; }
