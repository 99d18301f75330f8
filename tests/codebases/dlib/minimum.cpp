// The minimum of a function by dlib's BFGS, by the parameters of the function: templates with lambdas.
#define TOLERANCE 1e-4 // it stops near the optimum
#include "check.h"
#include <dlib/optimization.h>

typedef dlib::matrix<double, 0, 1> vector_of_numbers;

static double minimum(double *p) {
  vector_of_numbers v(2);
  v = 1, 1;
  auto value = [p](const vector_of_numbers &v) {
    double a = v(0) - p[0], b = v(1) - p[1] * v(0);
    return a * a * a * a + a * a + b * b;
  };
  auto gradient = [p](const vector_of_numbers &v) {
    double a = v(0) - p[0], b = v(1) - p[1] * v(0);
    vector_of_numbers g(2);
    g = 4 * a * a * a + 2 * a - 2 * p[1] * b, 2 * b;
    return g;
  };
  dlib::find_min(dlib::bfgs_search_strategy(), dlib::objective_delta_stop_strategy(1e-14), value, gradient, v, -1);
  return v(0) + 0.5 * v(1) * v(1);
}

int main() {
  CHECK(minimum, 0.7, 1.3);
  return failures;
}
