/* A sparse symmetric system by CHOLMOD: cholmod_common and the analysed factor are the handle. */
#include "check.h"
#include <cholmod.h>
enum { N = 6 };

static cholmod_common before;

static double solved(cholmod_common *common, const double *x) {
  cholmod_triplet *triplets = cholmod_allocate_triplet(N, N, 2 * N, 1, CHOLMOD_REAL, common);
  int *rows = triplets->i, *columns = triplets->j;
  double *values = triplets->x, sum = 0;
  for (int i = 0; i < N; i++) {
    rows[triplets->nnz] = columns[triplets->nnz] = i;
    values[triplets->nnz++] = 4 + x[i % 3] * x[i % 3];
    if (i + 1 < N) {
      rows[triplets->nnz] = i, columns[triplets->nnz] = i + 1;
      values[triplets->nnz++] = x[(i + 1) % 3];
    }
  }
  cholmod_sparse *a = cholmod_triplet_to_sparse(triplets, 0, common);
  cholmod_dense *b = cholmod_ones(N, 1, CHOLMOD_REAL, common);
  cholmod_factor *l = cholmod_analyze(a, common);
  cholmod_factorize(a, l, common);
  cholmod_dense *solution = cholmod_solve(CHOLMOD_A, l, b, common);
  for (int i = 0; i < N; i++)
    sum += ((double *)solution->x)[i] * (i + 1);
  cholmod_free_triplet(&triplets, common);
  cholmod_free_sparse(&a, common);
  cholmod_free_factor(&l, common);
  cholmod_free_dense(&b, common);
  cholmod_free_dense(&solution, common);
  return sum;
}

static double outside(double *x) { return solved(&before, x); }

static double inside(double *x) {
  cholmod_common common;
  cholmod_start(&common);
  double value = solved(&common, x);
  cholmod_finish(&common);
  return value;
}

int main(void) {
  cholmod_start(&before);
  CHECK_HANDLE(inside, outside, 0.7, -1.2, 0.4);
  return failures;
}
