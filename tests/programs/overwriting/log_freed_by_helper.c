/* Memory freed by a function that is not differentiated: stores to it cannot be undone in the reverse sweep. */
#include "../check.h"

enum { N = 4 };

static int released;

static NOINLINE void release(double *buffer) {
  released++;
  free(buffer);
}

static double run(double *x) {
  double *kept = malloc(N * sizeof *kept), sum = 0;
  for (int i = 0; i < N; i++)
    kept[i] = i + 1;
  for (int t = 0; t < 3; t++) {
    double *scratch = malloc(N * sizeof *scratch), *either = t == 1 ? kept : scratch;
    for (int i = 0; i < N; i++)
      scratch[i] = t;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        sum += kept[i] * x[j] * x[i];
    for (int i = 0; i < N; i++)
      either[i] = cos(i + t);
    release(scratch);
  }
  release(kept);
  return sum;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7, -0.4);
  return failures;
}
