/* continue in for, while and do loops. */
#include "../check.h"

static double skip(double *x) {
  double s = 0;
  int n = 0;
  for (int i = 0; i < 9; i++) {
    if (i % 3 == 1)
      continue;
    s += x[i % 4] * i;
    if (s > 3)
      continue;
    s *= x[1];
  }
  while (n++ < 6) {
    if (n & 1)
      continue;
    s = s * 0.5 + x[2] * x[n % 4];
  }
  do {
    if (s > 100)
      continue;
    s = s * x[3];
  } while (n++ < 10);
  return s;
}

int main(void) {
  CHECK(skip, 0.5, 1.5, -0.7, 1.1);
  return failures;
}
