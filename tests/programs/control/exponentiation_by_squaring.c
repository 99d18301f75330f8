/* Powers by squaring: the exponent's bits choose the path; matrices on the stack. */
#include "../check.h"

static double power(double *x) {
  double r[2][2] = {{1, 0}, {0, 1}}, m[2][2] = {{x[0], x[1]}, {x[2], x[3]}}, t[2][2];
  for (unsigned n = 13; n; n >>= 1) {
    if (n & 1) {
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          t[i][j] = r[i][0] * m[0][j] + r[i][1] * m[1][j];
      memcpy(r, t, sizeof r);
    }
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        t[i][j] = m[i][0] * m[0][j] + m[i][1] * m[1][j];
    memcpy(m, t, sizeof m);
  }
  return r[0][0] * r[1][1] + r[0][1];
}

int main(void) {
  CHECK(power, 0.5, 0.4, 0.7, -0.4);
  return failures;
}
