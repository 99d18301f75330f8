// Attributes of Enzyme's plug-in for clang in double brackets, in a source and in its header.
#include "../../check.h"
#include "rules.h"

double squared(double x) { return x * x; }
double rule::twice(double x) const { return factor * x; }
INACTIVE static double cubed(double x) { return x * x * x; }
[[enzyme::function_like("log1p")]] static double rough(double x) { return x - x * x / 2; }

static double f(double x) {
  rule r{2};
  const double weights[] = {1, 3};
  return x * (squared(x) + r.twice(x) + rule::fourth(x) + cubed(x)) + rough(x) * weights[weights[0] > 0];
}

int main() {
  double x = 0.7, constant = x * x + 2 * x + x * x * x * x + x * x * x + 3 / (1 + x);
  SAME(__enzyme_autodiff((void *)f, x), constant);
  SAME(__enzyme_fwddiff((void *)f, x, 1.0), constant);
  return failures;
}
