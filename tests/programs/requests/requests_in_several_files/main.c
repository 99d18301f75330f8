/* Requests in several files, one of them on a function that all share, and one on static functions of the same name. */
#include "../../check.h"
#include "shared.h"

static double local(double x) { return 3 * x * x; }

int main(void) {
  SAME(slope_a(2), cos(2) * 2 + sin(2) + 3 * 4);
  SAME(slope_b(2), cos(2) * 2 + sin(2) + 1 / 2.);
  SAME(__enzyme_autodiff((void *)local, 2.0), 12);
  SAME(__enzyme_autodiff((void *)shared, 2.0), cos(2) * 2 + sin(2));
  return failures;
}
