/* Integers made of numbers carry no derivative; numbers made of integers are constants. */
#include "../check.h"

static double convert(double *x) {
  int i = (int)(x[0] * 10);
  unsigned u = (unsigned)x[1];
  long l = lround(x[2]);
  double s = 0;
  for (int k = 0; k < (int)x[1]; k++)
    s += x[k % 3] * k;
  return s * i + x[2] * u + l * x[0] + (double)(char)i + x[(i & 1)] * (float)u;
}

int main(void) {
  CHECK(convert, 1.234, 5.678, 9.87);
  return failures;
}
