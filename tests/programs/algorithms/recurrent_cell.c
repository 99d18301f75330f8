/* A recurrent cell: matrix times a state that each step overwrites. */
#include "../check.h"

enum { N = 3 };

static double run(double *x) {
  double h[N] = {0.1, 0.2, 0.3}, next[N], loss = 0;
  for (int t = 0; t < 6; t++) {
    for (int i = 0; i < N; i++) {
      double s = x[N * N + i] * (t % 3 - 1);
      for (int j = 0; j < N; j++)
        s += x[i * N + j] * h[j];
      next[i] = tanh(s);
    }
    memcpy(h, next, sizeof h);
    loss += (h[0] - 0.5) * (h[0] - 0.5) + h[1] * h[2];
  }
  return loss;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7, -0.4, 0.3, 0.2, 0.9, -1.0, 0.1, 0.6, -0.3, 0.8);
  return failures;
}
