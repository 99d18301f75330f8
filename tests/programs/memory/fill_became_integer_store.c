/* memset of a few bytes: LLVM turns it into an integer store of zero, which overwrites numbers too. */
#include "../check.h"

#define FILL(T, NAME)                                                                                                  \
  static T NAME(T *x) {                                                                                                \
    T w[4] = {x[0], x[1], x[2], x[0] - x[1]}, s = 0;                                                                   \
    for (int i = 0; i < 5 && w[(int)(x[0] * 7) & 3] < 0; i++)                                                          \
      memmove(w + 1, w, 3 * sizeof(T));                                                                                \
    s = w[2] * w[3];                                                                                                   \
    for (int i = 0; i < 2; i++)                                                                                        \
      memset(w + 2 * i, 0, (1 + i) * sizeof(T));                                                                       \
    memset(x + 1, 0, 2 * sizeof(T));                                                                                   \
    return s + w[0] + w[1] * w[1] + w[2] + w[3] + x[1] + x[2];                                                         \
  }
FILL(float, single)
FILL(double, twin)

int main(void) {
  CHECK(twin, -1.12, 0.3, 0.5);
  CHECK(twin, 0.2, 0.3, 0.5);
  CHECK_FLOAT(single, twin, -1.12, 0.3, 0.5);
  CHECK_FLOAT(single, twin, 0.2, 0.3, 0.5);
  return failures;
}
