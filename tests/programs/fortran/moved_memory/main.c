/* What was written through one allocatable variable is read through another: flang tells LLVM that these never alias. */
#include "../../check.h"

double moved(double *x);

int main(void) {
  double x[4] = {0.7, 1.1, 1.9, -0.4};
  if (moved(x) != x[0] + 0.5 * x[1]) {
    printf("moved itself is wrong: %g\n", moved(x));
    return 1;
  }
  CHECK(moved, 0.7, 1.1, 1.9, -0.4);
  return failures;
}
