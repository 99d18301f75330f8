/* memcpy of floats and of long doubles: their sizes differ from double's. */
#include "../check.h"

#define COPY(T, NAME)                                                                                                  \
  static T NAME(T *x) {                                                                                                \
    T y[6], *z = malloc(6 * sizeof *z), s = 0;                                                                         \
    memcpy(y, x, 3 * sizeof *x);                                                                                       \
    memcpy(y + 3, x, 3 * sizeof *x);                                                                                   \
    y[4] *= y[0];                                                                                                      \
    memcpy(z, y + 1, 5 * sizeof *y);                                                                                   \
    z[5] = z[3] * z[0];                                                                                                \
    for (int i = 0; i < 6; i++)                                                                                        \
      s += z[i] * y[i];                                                                                                \
    free(z);                                                                                                           \
    return s;                                                                                                          \
  }
COPY(float, single)
COPY(double, twin)
COPY(long double, extended)

int main(void) {
  CHECK_FLOAT(single, twin, 0.5, 1.5, 0.7);
  CHECK_LONG(extended, 0.5, 1.5, 0.7);
  return failures;
}
