/* Results that lie in memory: read there again in the reverse sweep, where they have stayed or their stores are undone. */
#include "../check.h"

enum { N = 4 };

static double stays(double *x) {
  double y[N], sum = 0;
  for (int i = 0; i < N; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < N; i++)
    sum += y[i] * y[(i + 1) % N];
  return sum;
}

static double is_overwritten(double *x) {
  double y[N], sum = 0;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++)
      y[i] = tanh(x[i] + t);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        sum += y[i] * y[j] * x[j];
  }
  return sum;
}

static double at_computed_places(double *x) {
  double y[N] = {0}, sum = 0;
  for (int t = 0; t < 6; t++) {
    int k = (int)fabs(10 * x[t % N]) % N;
    y[k] = exp(x[t % N]) + y[(k + 1) % N];
    sum += y[k] * y[k];
    y[k] *= sum;
  }
  return sum;
}

int main(void) {
  CHECK(stays, 0.5, 1.2, 0.7, -0.4);
  CHECK(is_overwritten, 0.5, 1.2, 0.7, -0.4);
  CHECK(at_computed_places, 0.53, 1.24, 0.71, -0.45);
  return failures;
}
