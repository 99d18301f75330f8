/* Numbers in a table and in globals tell by constants whether they have been set up: they are no keys of kept results.
 * The first call sets them up, and the derivative is that of the first call. */
#include "../check.h"

static double table[2][4] = {{0.5, 0.25, 1.5, 0}, {1, 2, 3, 0}};

/* p[3]: zero, or the number of the set of parameters */
NOINLINE static double polynomial(double *p, double x) {
  if (p[3] == 0)
    p[3] = 2;
  if (p[3] != 2)
    return -1;
  return p[0] + p[1] * x + p[2] * x * x;
}

static double of_table(double x) { return polynomial(table[0], x) * polynomial(table[1], x); }

static struct {
  double first, scale, last_x, last_y;
} state = {1, 0, -1, 0};

NOINLINE static double kept(double x) {
  if (state.first == 1) {
    state.scale = 2.5;
    state.first = 0;
  }
  if (state.last_x == -1)
    state.scale += 1;
  if (state.last_x == x)
    return state.last_y;
  state.last_x = x;
  return state.last_y = state.scale * x * x;
}

int main(void) {
  double x = 0.5, p = 0.5 + 0.25 * x + 1.5 * x * x, q = 1 + 2 * x + 3 * x * x;
  double expected = (0.25 + 3 * x) * q + p * (2 + 6 * x);
  SAME(__enzyme_autodiff((void *)of_table, enzyme_out, x), expected);
  SAME(__enzyme_fwddiff((void *)of_table, enzyme_dup, x, 1.0), expected);
  SAME(__enzyme_autodiff((void *)kept, enzyme_out, x), 7 * x);
  SAME(__enzyme_fwddiff((void *)kept, enzyme_dup, x, 1.0), 7 * x);
  return failures;
}
