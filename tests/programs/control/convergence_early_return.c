/* An iteration that ends when it converges, by an early return from inside, after freeing what it allocated. */
#include "../check.h"

NOINLINE static double solve(double a, double b, int *steps) {
  double *history = NULL, v = 1;
  for (int n = 0;; n++) {
    double *grown = realloc(history, (size_t)(n + 1) * sizeof *history);
    if (!grown) {
      free(history);
      return NAN;
    }
    history = grown;
    history[n] = v;
    double next = v - (v * v * v - a * v - b) / (3 * v * v - a);
    if (fabs(next - v) < 1e-13) {
      double mean = (history[n / 2] + history[n]) * 0.5 + next;
      *steps = n;
      free(history);
      return mean;
    }
    v = next;
  }
}

static double run(double *x) {
  int steps = 0;
  return solve(x[0], x[1], &steps) * x[1] + solve(x[1], x[0] + 3, &steps);
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
