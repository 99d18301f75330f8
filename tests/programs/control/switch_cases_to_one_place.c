/* Several cases of a switch lead to one block, at the end of a loop's body, into it, and back to its start. */
#include "../check.h"

static double cases(double *x) {
  double a[4] = {0, 0, x[2], 1}, s = x[3];
  for (int i = 0; i < 6; i++)
    for (int j = i % 5; j > 0; j--)
      memmove(a + 2, x, 2 * sizeof(double));
  for (int i = 0; i < 9; i++) {
    switch (i) {
    case 0:
    case 3:
    case 7:
      continue;
    case 1:
    case 5:
      s = s * s + a[2];
    }
    s = sin(s) * a[3];
  }
  return a[2] * a[3] + s;
}

int main(void) {
  CHECK(cases, 0.5, 1.2, 0.7, 1.3);
  return failures;
}
