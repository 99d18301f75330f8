/* A sparse least-squares problem by CSparse: cs_qrsol, all matrices made inside. */
#include "check.h"
#include <cs.h>
enum { M = 6, N = 3 };

static double f(double *x) {
  cs *triplets = cs_spalloc(M, N, M * N, 1, 1);
  double b[M], sum = 0;
  for (int i = 0; i < M; i++) {
    cs_entry(triplets, i, i % N, 1 + x[i % N] * x[i % N]);
    cs_entry(triplets, i, (i + 1 + i / N) % N, x[(i + 1) % N] - 0.1 * i);
    b[i] = x[2] * i - x[0];
  }
  cs *a = cs_compress(triplets);
  cs_dupl(a);
  cs_qrsol(3, a, b);
  for (int i = 0; i < N; i++)
    sum += b[i] * (i + 1);
  cs_spfree(triplets);
  cs_spfree(a);
  return sum;
}

int main(void) {
  CHECK(f, 0.7, -1.2, 0.4);
  return failures;
}
