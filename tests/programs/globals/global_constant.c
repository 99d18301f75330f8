/* Constant tables, of numbers, of pointers and of functions. */
#include "../check.h"

static const double weights[2][3] = {{0.1, 0.2, 0.3}, {1, 2, 3}};
static const double *const rows[] = {weights[1], weights[0]};
static const struct {
  int index;
  double factor;
} steps[] = {{2, 0.5}, {0, 1.5}, {1, -1}};

static double use(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += rows[i & 1][i] * x[steps[i].index] * x[i] * steps[i].factor;
  return s;
}

int main(void) {
  CHECK(use, 0.5, 1.2, 0.7);
  return failures;
}
