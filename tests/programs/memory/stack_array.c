/* Arrays on the stack, written and read with variable indices. */
#include "../check.h"

static double local(double *x) {
  double y[6], z[2][3] = {{1, 2, 3}, {4, 5, 6}};
  for (int i = 0; i < 6; i++)
    y[(i * 5) % 6] = x[i % 3] * i;
  for (int i = 0; i < 6; i++)
    z[i / 3][i % 3] *= y[i] + x[2];
  double s = 0;
  for (int i = 0; i < 6; i++)
    s += z[1 - i / 3][i % 3] * y[5 - i];
  return s;
}

int main(void) {
  CHECK(local, 0.5, 1.5, 0.7);
  return failures;
}
