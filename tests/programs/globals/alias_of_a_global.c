/* Memory and functions are named by aliases, which other code may see if this is a shared library. */
#include "../check.h"

double state[2];
extern double other_state[2] __attribute__((alias("state")));

double scaled(double *x) { return state[1] * x[0]; }
double other_scaled(double *x) __attribute__((alias("scaled")));
double (*const table[])(double *) = {scaled, other_scaled};

static double f(double *x) {
  state[0] = x[0] * x[0];
  other_state[1] = other_state[0] * x[1];
  double sum = other_scaled(x);
  state[1] *= 2;
  for (int k = 0; k < 2; k++)
    sum += table[k](x) * (k + 1);
  return sum + state[0];
}

int main(void) {
  CHECK(f, 0.5, 1.2);
  return failures;
}
