/* LAPACK's factorisations and solutions, where the objective uses the solution alone, or the factors too; the latter also of
 * rectangular matrices, and of one that is larger than the blocks of the adjoint.
 * flags: -lopenblas */
#include "options.h"

extern void dpotrf_(C, I, double *, I, int *), dpotrs_(C, I, I, X, I, double *, I, int *), dposv_(C, I, I, double *, I, double *, I, int *);
extern void dgetrf_(I, I, double *, I, int *, int *), dgetrs_(C, I, I, X, I, I, double *, I, int *), dgesv_(I, I, double *, I, int *, double *, I, int *);
extern void dsyev_(C, C, I, double *, I, double *, double *, I, int *);
extern void dtrtri_(C, C, I, double *, I, int *), dpotri_(C, I, double *, I, int *);
extern void dgetri_(I, double *, I, I, double *, I, int *), dgels_(C, I, I, I, double *, I, double *, I, double *, I, int *);
extern void dgesvd_(C, C, I, I, double *, I, double *, double *, I, double *, I, double *, I, int *);
extern void dtrtrs_(C, C, C, I, I, X, I, double *, I, int *);
enum { ALL = 2 * SIZE, ROUTINES = 17, CHOLESKY = 15, LARGE = 101 };

/* The sum of a function of the factors of a matrix that has three blocks in one direction or both. */
static double large_lu(const double *x, const struct options *o) {
  static double a[LARGE * LARGE];
  int ld = LARGE, m = o->uplo == 'U' ? LARGE : LARGE - 40, n = o->diag == 'U' ? LARGE : LARGE - 30, info, pivots[LARGE];
  double s = 0;
  for (int i = 0; i < LARGE * LARGE; i++)
    a[i] = x[i % ALL] * cos(i) + (i % (LARGE + 1) == 0) * 4;
  dgetrf_(&m, &n, a, &ld, pivots, &info);
  for (int i = 0; i < LARGE * LARGE; i++)
    s += a[i] * a[i] * sin(i) / LARGE;
  return s;
}

/* The sum of a function of the factor of x x^T + 101. */
static double large(const double *x, const struct options *o) {
  static double a[LARGE * LARGE];
  int n = LARGE, info;
  double s = 0;
  for (int i = 0; i < LARGE; i++)
    for (int j = 0; j < LARGE; j++)
      a[i + j * LARGE] = x[i % ALL] * x[j % ALL] + (i == j) * LARGE;
  dpotrf_(&o->uplo, &n, a, &n, &info);
  for (int i = 0; i < LARGE * LARGE; i++)
    s += a[i] * sin(i) * (o->uplo == 'U' ? i % LARGE <= i / LARGE : i % LARGE >= i / LARGE);
  return s;
}

static double f(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], s = 0;
  int ld = LD, info = 0, pivots[LD];
  const char *u = &o->uplo, *t = &o->trans, *g = &o->diag;
  I m = &o->m, n = &o->n, k = &o->k;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b);
  if (o->routine == CHOLESKY) return large(x, o);
  int symmetric = o->routine < 4;
  for (int i = 0; i < LD; i++) a[i * LD + i] += symmetric ? 5 : 0.5;
  switch (o->routine) {
  case 0: dpotrf_(u, n, a, &ld, &info); break;
  case 1: dpotrs_(u, n, k, a, &ld, b, &ld, &info); break;
  case 2: dpotrf_(u, n, a, &ld, &info); dpotrs_(u, n, k, a, &ld, b, &ld, &info); break;
  case 3: dposv_(u, n, k, a, &ld, b, &ld, &info); break;
  case 4: dgetrf_(m, n, a, &ld, pivots, &info); break;
  case 5: for (int i = 0; i < LD; i++) pivots[i] = i + 1 + (i + 1 < *n); dgetrs_(t, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 6: dgetrf_(n, n, a, &ld, pivots, &info); dgetrs_(t, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 7: dgesv_(n, k, a, &ld, pivots, b, &ld, &info); break;
  case 9: { /* a function of the eigenvalues, and of vectors up to their signs */
    double w[LD], work[64];
    int size = 64;
    dsyev_(o->diag == 'U' ? "N" : "V", u, n, a, &ld, w, work, &size, &info);
    for (int i = 0; i < *n; i++)
      s += sin(w[i]) * (i + 1) + (o->diag == 'U' ? 0 : a[i * LD] * a[i * LD + *n - 1] * (i + 2));
    memset(a, 0, sizeof a);
    break;
  }
  case 10: dtrtri_(u, g, n, a, &ld, &info); break;
  case 11: dpotri_(u, n, a, &ld, &info); break;
  case 12: { double work[64]; dgetrf_(n, n, a, &ld, pivots, &info); dgetri_(n, a, &ld, pivots, work, &(int){64}, &info); break; }
  case 13: { /* no more columns than rows; only the solution is used (lapack_qr.c: all) */
    double work[64];
    int rows = *m > *n ? *m : *n, columns = *m > *n ? *n : *m;
    dgels_("N", &rows, &columns, k, a, &ld, b, &ld, work, &(int){64}, &info);
    memset(a, 0, sizeof a);
    for (int i = 0; i < SIZE; i++) b[i] = i % LD < columns ? b[i] : 0;
    break;
  }
  case 14: { /* singular values, and vectors up to their signs */
    double sigma[LD], u[SIZE], v[SIZE], work[128];
    int least = *m < *n ? *m : *n, has_u = o->diag == 'U', has_v = o->trans == 'N';
    dgesvd_(has_u ? "S" : "N", has_v ? "S" : "N", m, n, a, &ld, sigma, u, &ld, v, &ld, work, &(int){128}, &info);
    for (int i = 0; i < least; i++)
      s += sin(sigma[i]) * (i + 1) + (has_u ? u[i * LD] * u[i * LD + *m - 1] * (i + 2) : 0) +
           (has_v ? v[i] * v[i + LD * (*n - 1)] * (i + 3) : 0) + (has_u && has_v ? u[i * LD] * v[i] : 0);
    memset(a, 0, sizeof a);
    break;
  }
  case 16: return large_lu(x, o);
  case 8: dtrtrs_(u, t, g, n, k, a, &ld, b, &ld, &info); break;
  }
  if (info) return NAN;
  for (int i = 0; i < SIZE; i++) s += b[i] * sin(i + 1.0) * (1 + b[i]) + (o->use ? a[i] * cos(i + 2.0) * x[i] : 0);
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + a[0];
}

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++)
    for (int bits = 0; bits < 16; bits++)
      for (int size = 0; size < (routine < CHOLESKY ? 4 : bits < 4 || (routine > CHOLESKY && bits % 4 == 0)); size++) {
        struct options o = options_of(routine, bits, size);
        o.n += o.n == 0, o.m += o.m == 0;
        check(f, f, &o, ALL, -1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
