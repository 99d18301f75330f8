/* Counters of all widths and signs, upwards and downwards, with steps and with tests for inequality. */
#include "../check.h"

static double count(double *x) {
  double s = 0;
  for (unsigned char c = 3; c < 250; c += 41)
    s += x[c & 3] * c;
  for (short h = 9; h > -9; h -= 4)
    s += sin(x[h & 3] * h);
  for (unsigned u = 10; u-- > 0;)
    s = s * 0.9 + x[u & 3];
  for (long l = 12; l != 0; l -= 3)
    s += x[l & 3] * x[0];
  for (unsigned long k = 1; k <= 64; k *= 2)
    s += s / (double)k * x[1] * 0.01;
  for (int i = 7; i >= 0; --i)
    s += x[i & 3] * i;
  for (double *p = x; p != x + 4; p++)
    s += *p * *p;
  for (double *p = x + 3; p >= x; p--)
    s *= 1 + *p * 0.1;
  return s;
}

int main(void) {
  CHECK(count, 0.5, 1.5, -0.7, 1.1);
  return failures;
}
