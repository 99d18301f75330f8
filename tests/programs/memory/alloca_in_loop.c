/* alloca in a loop: all blocks live until the function ends. */
#include "../check.h"

static double stack(double *x) {
  double *kept[5], s = 0;
  for (int i = 0; i < 5; i++) {
    kept[i] = __builtin_alloca((i + 1) * sizeof **kept);
    for (int j = 0; j <= i; j++)
      kept[i][j] = x[j % 3] * (i ? kept[i - 1][j / 2] : 1);
  }
  for (int i = 0; i < 5; i++)
    s += kept[i][i] * kept[4][i];
  return s;
}

int main(void) {
  CHECK(stack, 0.5, 1.2, 0.7);
  return failures;
}
