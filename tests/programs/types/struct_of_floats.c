/* Two and four floats in a struct: the ABI passes them in vectors. */
#include "../check.h"

#define ROTATE(T, NAME)                                                                                                \
  typedef struct {                                                                                                     \
    T x, y;                                                                                                            \
  } NAME##_two;                                                                                                        \
  typedef struct {                                                                                                     \
    T x, y, z;                                                                                                         \
  } NAME##_three;                                                                                                      \
  NOINLINE static NAME##_two NAME##_turn(NAME##_two a, NAME##_three b) {                                               \
    return (NAME##_two){a.x * b.x - a.y * b.y, a.y * b.x * b.z};                                                       \
  }                                                                                                                    \
  NOINLINE static NAME##_three NAME##_lift(NAME##_two a, T z) { return (NAME##_three){a.y, a.x * z, z * z}; }          \
  static T NAME(T *x) {                                                                                                \
    NAME##_two a = {x[0], x[1]};                                                                                       \
    NAME##_three b = {x[1], x[2], x[0]};                                                                               \
    for (int i = 0; i < 3; i++) {                                                                                      \
      a = NAME##_turn(a, b);                                                                                           \
      b = NAME##_lift(a, x[2]);                                                                                        \
    }                                                                                                                  \
    return a.x + a.y * b.z;                                                                                            \
  }
ROTATE(float, single)
ROTATE(double, twin)

int main(void) {
  CHECK_FLOAT(single, twin, 0.5, 1.2, 0.7);
  return failures;
}
