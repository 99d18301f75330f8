/* Cases that fall through, a default in the middle, and Duff's device. */
#include "../check.h"

static double fall(double *x) {
  double s = 0;
  for (int i = 0; i < 7; i++)
    switch (i) {
    case 5:
      s += x[0] * s;
    default:
      s += x[1];
    case 2:
      s *= x[2];
      break;
    case 3:
    case 4:
      s -= x[0] * x[1];
    }
  int n = 11, k = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      s += x[k++ % 3] * s * 0.1;
    case 3:
      s += x[k++ % 3];
    case 2:
      s *= x[k++ % 3];
    case 1:
      s += x[k++ % 3] * 2;
    } while (--rounds > 0);
  }
  return s;
}

int main(void) {
  CHECK(fall, 0.5, 1.5, 0.7);
  return failures;
}
