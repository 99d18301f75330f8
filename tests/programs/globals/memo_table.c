/* A recursion that remembers its results in static tables, with flags beside. */
#include "../check.h"

static double table[8];
static int known[8];

NOINLINE static double recall(const double *x, int n) {
  if (n < 2)
    return x[n];
  if (!known[n]) {
    table[n] = recall(x, n - 1) * x[2] + sin(recall(x, n - 2));
    known[n] = 1;
  }
  return table[n];
}

static double run(double *x) {
  double r = recall(x, 7) * recall(x, 5);
  memset(known, 0, sizeof known);
  memset(table, 0, sizeof table); /* what is left in it would be an output of the program */
  return r;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
