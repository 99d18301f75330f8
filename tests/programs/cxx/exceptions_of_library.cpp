/* Exceptions that the library throws: vector::at, and a conversion of text. */
#include "../check.h"
#include <stdexcept>
#include <string>
#include <vector>

static double f(double *x) {
  std::vector<double> v(x, x + 3);
  double s = 0;
  for (unsigned k = 0; k < 5; k++)
    try {
      s = s * x[0] + v.at(k);
    } catch (const std::out_of_range &e) {
      s += k * x[1] * x[1] * (e.what()[0] == 'v');
    }
  try {
    s *= std::stoi("none");
  } catch (const std::invalid_argument &) {
    s *= x[2];
  }
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
