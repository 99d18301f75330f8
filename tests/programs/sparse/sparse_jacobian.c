/* A Jacobian with three diagonals, and one of four columns for each row, in both modes. */
#include "sparse.h"

enum { N = 40 };
static double x[N];

static void chain(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    double left = i ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
    y[i] = sin(x[i]) * left + right * right;
  }
}

static double of_chain(long i, long j) {
  if (j == i - 1)
    return sin(x[i]);
  if (j == i)
    return i ? cos(x[i]) * x[i - 1] : 0;
  return j == i + 1 ? 2 * x[j] : 0;
}

/* Rows share the columns that belong to their remainder by 5: the pattern consists of blocks. */
static void blocks(const double *x, double *y, int n, int size) {
  for (int i = 0; i < n; i++) {
    y[i] = 1;
    for (int k = 0; k < size; k++)
      y[i] *= x[i / size * size + k] + i;
  }
}

enum { SIZE = 4 };
static double of_blocks(long i, long j) {
  if (i / SIZE != j / SIZE)
    return 0;
  double product = 1;
  for (long k = i / SIZE * SIZE; k < i / SIZE * SIZE + SIZE; k++)
    product *= k == j ? 1 : x[k] + i;
  return product;
}

/* One row has all columns: many groups by columns, and few by rows. */
static void dense_row(const double *x, double *y, int n) {
  y[0] = 0;
  for (int i = 0; i < n; i++)
    y[0] += x[i] * x[i];
  for (int i = 1; i < n; i++)
    y[i] = exp(x[i]);
}

static double of_dense_row(long i, long j) { return i == 0 ? 2 * x[j] : i == j ? exp(x[i]) : 0; }

int main(void) {
  struct enzyme_triplets t;
  double y[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + 0.1 * i;
  __enzyme_fwddiff((void *)chain, enzyme_sparse, &t, enzyme_dup, x, N, enzyme_dup, y, N, enzyme_const, N);
  same("the primal", 0, y[1], sin(x[1]) * x[0] + x[2] * x[2], 1e-15);
  same_matrix("chain, forward", &t, of_chain, N, N, 3 * N - 2, 3);
  __enzyme_autodiff((void *)chain, enzyme_sparse, &t, enzyme_dup, x, N, enzyme_dupnoneed, NULL, N, enzyme_const, N);
  same_matrix("chain, reverse", &t, of_chain, N, N, 3 * N - 2, 3);
  __enzyme_fwddiff((void *)blocks, enzyme_sparse, &t, x, (long)N, y, (long)N, enzyme_const, N, enzyme_const, SIZE);
  same_matrix("blocks, forward", &t, of_blocks, N, N, N * SIZE, SIZE);
  __enzyme_autodiff((void *)blocks, enzyme_sparse, &t, x, (long)N, y, (long)N, enzyme_const, N, enzyme_const, SIZE);
  same_matrix("blocks, reverse", &t, of_blocks, N, N, N * SIZE, SIZE);
  __enzyme_fwddiff((void *)dense_row, enzyme_sparse, &t, x, N, y, N, enzyme_const, N);
  same_matrix("a dense row, forward", &t, of_dense_row, N, N, 2 * N - 1, N);
  __enzyme_autodiff((void *)dense_row, enzyme_sparse, &t, x, N, y, N, enzyme_const, N);
  same_matrix("a dense row, reverse", &t, of_dense_row, N, N, 2 * N - 1, 2);
  return failures;
}
