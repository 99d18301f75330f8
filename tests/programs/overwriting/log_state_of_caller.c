/* A state in the caller's memory, read many times and overwritten in each step: its stores are undone in the reverse
 * sweep, and done again afterwards. In rows with gaps, which hold other numbers. */
#include "../check.h"

enum { N = 4, STRIDE = 3, STEPS = 5 };

static double run(double *x) {
  double *w = x, *state = x + N * N; /* state[STRIDE * i], and two numbers between that nobody touches */
  double sum = 0;
  for (int t = 0; t < STEPS; t++) {
    double next[N];
    for (int i = 0; i < N; i++) {
      next[i] = 0.1 * t;
      for (int j = 0; j < N; j++)
        next[i] += w[N * i + j] * state[STRIDE * j];
    }
    for (int i = 0; i < N; i++)
      state[STRIDE * i] = sin(next[i]);
    sum += state[0] * state[STRIDE];
  }
  return sum + state[STRIDE * 2];
}

/* Numbers and their adjoints side by side in one array: what is put back must not touch the adjoints. */
static NOINLINE double step(double *pairs, int n, int steps) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum += pairs[2 * i] * cos(pairs[2 * j]);
    for (int i = 0; i < n; i++)
      pairs[2 * i] = 0.5 * pairs[2 * i] * pairs[2 * i] + 0.1;
  }
  return sum;
}

static double step_of(double *x) {
  double pairs[2 * N] = {0};
  for (int i = 0; i < N; i++)
    pairs[2 * i] = x[i];
  double result = step(pairs, N, 3);
  for (int i = 0; i < N; i++)
    x[i] = pairs[2 * i];
  return result;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7, -0.4, 0.3, 0.2, 0.9, -1.0, 0.1, 0.6, -0.3, 0.8, 0.2, -0.1, 0.4, 0.3, /* w */
        0.3, 9, 8, -0.2, 7, 6, 0.5, 5, 4, 0.8, 3, 2);
  CHECK(step_of, 0.5, 1.2, 0.7, -0.4);
  double at[N] = {0.5, 1.2, 0.7, -0.4}, pairs[2 * N] = {0}, left[2 * N];
  for (int i = 0; i < N; i++)
    pairs[2 * i] = left[2 * i] = at[i];
  __enzyme_autodiff((void *)step, enzyme_dup, pairs, pairs + 1, N, 3);
  step(left, N, 3);
  for (int i = 0; i < N; i++) {
    same("pairs", i, pairs[2 * i + 1], check_difference(step_of, at, N, i), 1e-7);
    same("left", i, pairs[2 * i], left[2 * i], 1e-12);
  }
  return failures;
}
