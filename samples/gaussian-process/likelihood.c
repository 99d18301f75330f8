/* The negative log marginal likelihood by LAPACK: K = L L^T, log det K from the diagonal of L, L^-1 y by dtrsm. */
#include "gaussian_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
            const double *alpha, const double *a, const int *lda, double *b, const int *ldb);

static void covariance(int n, const double *x, const double *parameters, double *k) {
  double length = exp(parameters[0]), scale = exp(2 * parameters[1]), noise = exp(2 * parameters[2]);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double distance = (x[i] - x[j]) / length;
      k[i + j * n] = scale * exp(-distance * distance / 2) + (i == j ? noise : 0);
    }
}

double negative_log_likelihood(int n, const double *x, const double *y, const double *parameters) {
  double *k = malloc(n * n * sizeof *k), *z = malloc(n * sizeof *z), one = 1, sum = n * log(2 * 3.14159265358979);
  int columns = 1, info;
  covariance(n, x, parameters, k);
  memcpy(z, y, n * sizeof *z);
  dpotrf_("L", &n, k, &n, &info);
  dtrsm_("L", "L", "N", "N", &n, &columns, &one, k, &n, z, &n);
  for (int i = 0; i < n; i++)
    sum += z[i] * z[i] + 2 * log(k[i + i * n]);
  free(k);
  free(z);
  return info ? INFINITY : sum / 2;
}
