// Special functions and quantiles: iterations inside, and policies by templates.
#include "check.h"
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/ellint_1.hpp>

static double f(double *x) {
  using namespace boost::math;
  gamma_distribution<> gamma(x[0], x[1]);
  students_t_distribution<> student(x[2]);
  return cdf(gamma, x[3]) + quantile(gamma, 0.3) + cdf(student, x[3]) + ellint_1(0.4 * x[1], x[0]) + cyl_bessel_j(1, 3 * x[3]);
}

int main() {
  CHECK(f, 2.3, 1.1, 5.5, 0.8);
  return failures;
}
