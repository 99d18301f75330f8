/* Checks that trap: the compiler leaves names of types behind that nothing refers to, and that have no name.
 *
 * flags: -fsanitize=undefined -fsanitize-trap=undefined
 */
#include "../check.h"

static double power(double x, int n) {
  double product = 1;
  for (int i = 0; i < n * n; i++)
    product *= x;
  return product;
}

static double f(double *x) {
  double weights[] = {0.5, 2.0, 0.25};
  int which = (int)(x[1] * 2);
  return power(x[0], which) * weights[which] + x[1] / x[0];
}

int main(void) {
  CHECK(f, 1.25, 1.1);
  return failures;
}
