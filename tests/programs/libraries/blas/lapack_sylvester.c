/* Sylvester's equation of matrices in Schur form (trsyl), with a block of order 2; condition numbers of symmetric and Hermitian
 * factors, which have the derivative 0.
 * flags: -lopenblas */
#include "../../check.h"
#include <complex.h>

void dtrsyl_(const char *, const char *, const int *, const int *, const int *, const double *, const int *, const double *,
             const int *, double *, const int *, double *, int *, size_t, size_t);
void ztrsyl_(const char *, const char *, const int *, const int *, const int *, const double complex *, const int *,
             const double complex *, const int *, double complex *, const int *, double *, int *, size_t, size_t);
void zsytrf_(const char *, const int *, double complex *, const int *, int *, double complex *, const int *, int *, size_t);
void zhetrf_(const char *, const int *, double complex *, const int *, int *, double complex *, const int *, int *, size_t);
void zsycon_(const char *, const int *, const double complex *, const int *, const int *, const double *, double *,
             double complex *, int *, size_t);
void zhecon_(const char *, const int *, const double complex *, const int *, const int *, const double *, double *,
             double complex *, int *, size_t);

enum { M = 3, N = 2 };
static int sign = 1;
static char of_a = 'N', of_b = 'N';

/* A is 3 x 3 with a block of order 2 in the end, stored in 4 rows; B is 2 x 2; what is not read is not a number */
static double real_solution(double *x) {
  double a[4 * M], b[N * N], c[M * N], scale, sum = 0;
  for (int i = 0; i < 4 * M; i++)
    a[i] = NAN;
  a[0] = x[0] + 3, a[1] = 0, a[4] = x[1], a[5] = x[2] + 5, a[8] = x[3], a[9] = x[0] * x[1], a[6] = -x[2], a[10] = x[2] + 5;
  b[0] = x[1] * x[1] + 1, b[1] = 0, b[2] = x[3], b[3] = x[0] + 1.5;
  for (int i = 0; i < M * N; i++)
    c[i] = sin(x[i % 4] * (i + 1));
  int info;
  dtrsyl_(&of_a, &of_b, &sign, (int[]){M}, (int[]){N}, a, (int[]){4}, b, (int[]){N}, c, (int[]){M}, &scale, &info, 1, 1);
  for (int i = 0; i < M * N; i++)
    sum += c[i] * c[i] * (i + 1) + c[i];
  return sum + info;
}

static double complex_solution(double *x) {
  double complex a[N * N] = {x[0] + 2 + x[1] * I, 0, x[2] * I + x[3], 4 - x[0] * I};
  double complex b[M * M] = {x[1] + 1, 0, 0, x[2] + x[0] * I, x[3] + 2 * I, 0, 0.5, x[0] * x[1], 3 - x[2] * I}, c[M * N];
  double scale, sum = 0;
  for (int i = 0; i < M * N; i++)
    c[i] = sin(x[i % 4] * (i + 1)) + I * x[(i + 1) % 4];
  int info;
  char op_a = of_a == 'T' ? 'C' : of_a, op_b = of_b == 'T' ? 'C' : of_b;
  ztrsyl_(&op_a, &op_b, &sign, (int[]){N}, (int[]){M}, a, (int[]){N}, b, (int[]){M}, c, (int[]){N}, &scale, &info, 1, 1);
  for (int i = 0; i < M * N; i++)
    sum += creal(c[i] * c[i]) * (i + 1) + cimag(c[i]);
  return sum + info;
}

static double conditions(double *x) {
  double complex a[4] = {x[0] + 2, 0, x[1] + x[2] * I, x[3] - 3}, h[4], work[128];
  memcpy(h, a, sizeof a);
  int pivots[2], info, two = 2, size = 128;
  double norm = 5, rcond, other, sum;
  zsytrf_("U", &two, a, &two, pivots, work, &size, &info, 1);
  zsycon_("U", &two, a, &two, pivots, &norm, &rcond, work, &info, 1);
  zhetrf_("U", &two, h, &two, pivots, work, &size, &info, 1);
  zhecon_("U", &two, h, &two, pivots, &norm, &other, work, &info, 1);
  sum = creal(a[3] * a[2]) + cimag(h[2] * h[0]);
  return rcond > 1e-10 && rcond <= 1 && other > 1e-10 && other <= 1 ? sum : -1e3 * sum;
}

int main(void) {
  for (int k = 0; k < 8; k++) {
    sign = k & 1 ? -1 : 1, of_a = k & 2 ? 'T' : 'N', of_b = k & 4 ? 'T' : 'N';
    CHECK(real_solution, 0.7, 1.3, 0.4, -0.8);
    CHECK(complex_solution, 0.7, 1.3, 0.4, -0.8);
  }
  CHECK(conditions, 0.7, 1.3, 0.4, -0.8);
  return failures;
}
