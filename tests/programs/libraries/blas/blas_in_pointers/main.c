/* Functions of BLAS and LAPACK that other code stores in pointers, bitcode and native code.
 * flags: -lopenblas */
#include "../../../check.h"
#include "operations.h"

static operations *used;
static int which;

static double likelihood(double *x) {
  double a[4], b[2] = {x[0], x[3]}, one = 1, none = 0;
  int n = 2, columns = 1, info;
  used->multiply("N", "T", &n, &n, &n, &one, x, &n, x, &n, &none, a, &n);
  a[0] += 1, a[3] += 1;
  used->cholesky("L", &n, a, &n, &info);
  used->triangular("L", "L", "N", "N", &n, &columns, &one, a, &n, b, &n);
  return b[0] * b[0] + b[1] * b[1] + log(a[0] * a[3]);
}

static double by_table(double *x) {
  dot *of_two = chosen_dot(which);
  return of_two(2, x, 1, x + 2, 1) * (of_two == cblas_ddot ? 3 : x[0]) + chosen_dot(1 - which)(2, x, 2, x, 1);
}

int main(void) {
  used = made_operations();
  CHECK(likelihood, 0.3, 0.7, -0.2, 1.1);
  free(used);
  used = native_operations();
  CHECK(likelihood, 0.3, 0.7, -0.2, 1.1);
  free(used);
  for (which = 0; which < 2; which++)
    CHECK(by_table, 0.3, 0.7, -0.2, 1.1);
  return failures;
}
