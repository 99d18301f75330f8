/* std::function of objects that own memory, beside functions. */
#include "../../check.h"
#include "steps.h"
#include <memory>

/* Owns memory, so it is copied by a constructor of its own. */
struct polynomial {
  std::vector<double> c;
  double operator()(double x) const {
    double s = 0;
    for (size_t k = c.size(); k--;)
      s = s * x + c[k];
    return s;
  }
};

static double owning(double *x) {
  std::vector<step> steps{polynomial{{x[0], x[1], x[2]}}, cube};
  auto shared = std::make_shared<polynomial>(polynomial{{x[1], x[2]}});
  steps.push_back([shared, x](double t) { return (*shared)(t) * x[0]; });
  step first = steps[0];
  steps[0] = steps[2];
  return fold(steps, x[1]) + first(x[2]);
}

int main() {
  CHECK(owning, 0.5, 1.6, 0.7);
  return failures;
}
