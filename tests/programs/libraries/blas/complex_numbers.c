/* Complex BLAS and LAPACK in C: Hermitian products and factors, a solution with the transpose, vectors of a Hermitian matrix,
 * a function with a complex result, CBLAS by rows, single precision, second derivatives.
 * flags: -lopenblas */
#include "../../check.h"

typedef double _Complex Z;
typedef float _Complex F;
typedef const char *C;
typedef const int *I;
extern void zgemm_(C, C, I, I, I, const Z *, const Z *, I, const Z *, I, const Z *, Z *, I);
extern void zherk_(C, C, I, I, const double *, const Z *, I, const double *, Z *, I);
extern void ztrsm_(C, C, C, C, I, I, const Z *, const Z *, I, Z *, I), zpotrf_(C, I, Z *, I, int *);
extern void zgetrf_(I, I, Z *, I, int *, int *), zgetrs_(C, I, I, const Z *, I, I, Z *, I, int *);
extern void zheev_(C, C, I, Z *, I, double *, Z *, I, double *, int *);
extern Z zdotc_(I, const Z *, I, const Z *, I);
extern F cdotu_(I, const F *, I, const F *, I);
extern void cblas_zhemm(int, int, int, int, int, const void *, const void *, int, const void *, int, const void *, void *, int);
enum { N = 3, S = N * N };

static void fill(Z *a, const double *x) {
  for (int i = 0; i < S; i++)
    a[i] = x[i % 6] * (i + 1) + 1.0i * x[(i + 1) % 6] * x[i * i % 6];
}

static double sum(const Z *a, int count) {
  double s = 0;
  for (int i = 0; i < count; i++)
    s += sin(i + 1) * __real__ a[i] * __imag__ a[i] + cos(i) * __imag__ a[i];
  return s;
}

/* zherk, zpotrf, ztrsm with the adjoint of the factor */
static double factors(double *x) {
  Z a[S], c[S] = {0}, one = 1;
  int n = N, info;
  double f = x[0], none = 0;
  fill(a, x);
  zherk_("L", "N", &n, &n, &f, a, &n, &none, c, &n);
  for (int i = 0; i < N; i++) c[i * N + i] += 2;
  zpotrf_("L", &n, c, &n, &info);
  ztrsm_("R", "L", "C", "N", &n, &n, &one, c, &n, a, &n);
  return sum(a, S);
}

/* zgemm with three operations, zgetrs with A^T, zdotc */
static double solution(double *x) {
  Z a[S], b[S], c[S], f = x[0] + 1.0i * x[1], g = 0;
  int n = N, one = 1, pivots[N], info;
  fill(a, x), fill(b, x);
  for (int i = 0; i < S; i++) c[i] = NAN;
  zgemm_("T", "C", &n, &n, &n, &f, a, &n, b, &n, &g, c, &n);
  g = f;
  zgemm_("N", "T", &n, &n, &n, &f, b, &n, b, &n, &g, c, &n);
  zgetrf_(&n, &n, a, &n, pivots, &info);
  zgetrs_("T", &n, &n, a, &n, pivots, c, &n, &info);
  g = zdotc_(&n, c, &n, b, &one);
  return sum(c, S) + __real__ g * __imag__ g;
}

/* zheev, with the phases of the vectors, and CBLAS */
static double vectors(double *x) {
  Z a[S], b[S], c[S], work[32], one = 1, half = 0.5 + 0.25i;
  double w[N], more[3 * N], s = 0;
  int n = N, size = 32, info;
  fill(a, x), fill(b, x), fill(c, x);
  cblas_zhemm(101, 141, 121, N, N, &half, a, N, b, N, &one, c, N);
  zheev_("V", "U", &n, a, &n, w, work, &size, more, &info);
  for (int i = 0; i < N; i++) {
    Z p = a[i * N] * a[i * N + N - 1]; /* the last component is real */
    s += w[i] * w[i] * (i + 1) + __real__ p + 2 * __imag__ p;
  }
  return s + sum(c, S);
}

static double in_floats(double *x) {
  F a[4];
  int n = 4, one = 1;
  for (int i = 0; i < 4; i++) a[i] = x[i] + 1.0i * x[5 - i];
  F dot = cdotu_(&n, a, &one, a, &(int){-1});
  return __real__ dot * __imag__ dot;
}

static void gradient(const double *x, double *d) {
  memset(d, 0, 6 * sizeof *d);
  __enzyme_autodiff((void *)solution, x, d);
}

int main(void) {
  CHECK(factors, 0.7, 0.4, -0.3, 0.9, 0.2, 0.5);
  CHECK(solution, 0.7, 0.4, -0.3, 0.9, 0.2, 0.5);
  CHECK(vectors, 0.7, 0.4, -0.3, 0.9, 0.2, 0.5);
  double x[6] = {0.7, 0.4, -0.3, 0.9, 0.2, 0.5}, d[6] = {0}, t[6] = {1, -1, 2, 0.5, 1, 1}, dd[6] = {0}, up[6], down[6];
  __enzyme_autodiff((void *)in_floats, x, d); /* re im of 2 (z0 z3 + z1 z2), as z -> x_i + i x_(5-i) */
  double re = 2 * (x[0] * x[3] - x[5] * x[2] + x[1] * x[2] - x[4] * x[3]), im = 2 * (x[0] * x[2] + x[5] * x[3] + x[1] * x[3] + x[4] * x[2]);
  same("second or single", __LINE__, d[0], 2 * (x[3] * im + x[2] * re), 1e-5);
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, t, enzyme_dup, d, dd);
  for (int i = 0; i < 6; i++) up[i] = x[i] + 1e-5 * t[i], down[i] = x[i] - 1e-5 * t[i];
  double of_up[6], of_down[6];
  gradient(up, of_up), gradient(down, of_down);
  for (int i = 0; i < 6; i++) same("second or single", __LINE__, dd[i], (of_up[i] - of_down[i]) / 2e-5, 1e-6);
  return failures;
}
