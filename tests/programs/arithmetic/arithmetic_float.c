/* Every arithmetic operator on float. */
#include "../check.h"

#define ALL(T, NAME)                                                                                                   \
  static T NAME(T *x) {                                                                                                \
    T a = x[0] + x[1], b = a - x[2] * 3, c = -b / x[1];                                                                \
    c *= x[0];                                                                                                         \
    c += 2;                                                                                                            \
    c -= x[2];                                                                                                         \
    c /= a;                                                                                                            \
    return 1 / c + a * b - (x[0] - x[0] * x[2]);                                                                       \
  }
ALL(float, single)
ALL(double, twin)

int main(void) {
  CHECK_FLOAT(single, twin, 1.5, 2.5, -0.75);
  return failures;
}
