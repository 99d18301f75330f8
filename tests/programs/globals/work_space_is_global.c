/* A constant argument is only read, but it is a global, or memory behind one: what the function stores there is read. */
#include "../check.h"

static double numbers[4], behind[4], *pointer;
static struct {
  int n;
  double values[3];
} record;

#define STORE_AND_READ(NAME, PLACE)                                                                                    \
  NOINLINE static void put_##NAME(double x) { PLACE = x * x; }                                                         \
  NOINLINE static double NAME(const double *data, double x) {                                                          \
    put_##NAME(x);                                                                                                     \
    return data[1] * x;                                                                                                \
  }
STORE_AND_READ(in_array, numbers[1])
STORE_AND_READ(in_struct, record.values[1])
STORE_AND_READ(by_pointer, pointer[1])

#define BOTH(f, data)                                                                                                  \
  SAME(__enzyme_autodiff((void *)f, enzyme_const, data, enzyme_out, x), 3 * x * x);                                    \
  SAME(__enzyme_fwddiff((void *)f, enzyme_const, data, enzyme_dup, x, 1.0), 3 * x * x)

int main(int argc, char **argv) {
  double x = 0.8;
  const double *array = argv ? numbers : behind, *values = argc ? record.values : behind;
  pointer = argc ? behind : numbers;
  const double *other = argv ? behind : numbers;
  BOTH(in_array, array);
  BOTH(in_struct, values);
  BOTH(by_pointer, other);
  return failures;
}
