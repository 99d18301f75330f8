/* LAPACK's factorisation of symmetric matrices that are not definite, where the objective uses the solution and the factors;
 * eigenvalues and singular values by all routines, with vectors whose signs count.
 * flags: -lopenblas */
#include "options.h"

typedef double *W;
extern void dsytrf_(C, I, W, I, int *, W, I, int *), dsytrs_(C, I, I, X, I, I, W, I, int *), dsytri_(C, I, W, I, I, W, int *);
extern void dsysv_(C, I, I, W, I, int *, W, I, W, I, int *);
extern void dsyev_(C, C, I, W, I, W, W, I, int *), dsyevd_(C, C, I, W, I, W, W, I, int *, I, int *);
extern void dsyevr_(C, C, C, I, W, I, X, X, I, I, X, int *, W, W, I, int *, W, I, int *, I, int *);
extern void dsyevx_(C, C, C, I, W, I, X, X, I, I, X, int *, W, W, I, W, I, int *, int *, int *);
extern void dsygv_(I, C, C, I, W, I, W, I, W, W, I, int *), dsygvd_(I, C, C, I, W, I, W, I, W, W, I, int *, I, int *);
extern void dgesvd_(C, C, I, I, W, I, W, W, I, W, I, W, I, int *), dgesdd_(C, I, I, W, I, W, W, I, W, I, W, I, int *, int *);
extern void dgeev_(C, C, I, W, I, W, W, W, I, W, I, W, I, int *);
enum { ALL = 2 * SIZE, ROUTINES = 12, LARGE = 45, SPACE = 4096 };

/* pivots of order 1 and 2 by turns */
static double large(const double *x, const struct options *o) {
  static double a[LARGE * LARGE], b[LARGE], work[64 * LARGE];
  int n = LARGE, one = 1, size = 64 * LARGE, pivots[LARGE], info;
  double s = 0;
  for (int i = 0; i < LARGE; i++)
    for (int j = 0; j <= i; j++)
      a[i + j * LARGE] = a[j + i * LARGE] = x[(i * 7 + j * 3) % ALL] * (i == j ? 0.1 : 1);
  for (int i = 0; i < LARGE; i++) b[i] = x[i];
  dsytrf_(&o->uplo, &n, a, &n, pivots, work, &size, &info);
  dsytrs_(&o->uplo, &n, &one, a, &n, pivots, b, &n, &info);
  if (info) return NAN;
  for (int i = 0; i < LARGE * LARGE; i++) s += a[i] * sin(i) * (o->uplo == 'U' ? i % LARGE <= i / LARGE : i % LARGE >= i / LARGE) / 100;
  for (int i = 0; i < LARGE; i++) s += sin(b[i]) * (i + 1) / 10;
  return s;
}

static double f(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], w[LD] = {0}, v[LD] = {0}, z[SIZE] = {0}, q[SIZE] = {0}, work[SPACE], low = -0.5, high = 9, none = 0, s = 0;
  int ld = LD, info = 0, pivots[LD], size = SPACE, iwork[128], isize = 128, found, fail[2 * LD], from = 1, to = o->use ? o->n : (o->n + 1) / 2;
  const char *u = &o->uplo, *job = o->diag == 'U' ? "N" : "V", *range = o->use ? "A" : o->trans == 'N' ? "I" : "V";
  I m = &o->m, n = &o->n, k = &o->k;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b);
  for (int i = 0; i < LD; i++) a[i * LD + i] *= o->trans == 'N' ? 0.05 : 3;
  if (o->routine == ROUTINES - 1) return large(x, o);
  switch (o->routine) {
  case 0: dsytrf_(u, n, a, &ld, pivots, work, &size, &info); break;
  case 1: dsytrf_(u, n, a, &ld, pivots, work, &size, &info); dsytrs_(u, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 2: dsysv_(u, n, k, a, &ld, pivots, b, &ld, work, &size, &info); break;
  case 3: dsytrf_(u, n, a, &ld, pivots, work, &size, &info); dsytri_(u, n, a, &ld, pivots, work, &info); break;
  case 4: dsyev_(job, u, n, a, &ld, w, work, &size, &info); break;
  case 5: dsyevd_(job, u, n, a, &ld, w, work, &size, iwork, &isize, &info); break;
  case 6: dsyevr_(job, range, u, n, a, &ld, &low, &high, &from, &to, &none, &found, w, z, &ld, fail, work, &size, iwork, &isize, &info); break;
  case 7: dsyevx_(job, range, u, n, a, &ld, &low, &high, &from, &to, &none, &found, w, z, &ld, work, &size, iwork, fail, &info); break;
  case 8: {
    int type = 1 + (o->n + o->use) % 3;
    for (int i = 0; i < LD; i++) b[i * LD + i] += 5;
    if (o->trans == 'N') dsygv_(&type, job, u, n, a, &ld, b, &ld, w, work, &size, &info);
    else dsygvd_(&type, job, u, n, a, &ld, b, &ld, w, work, &size, iwork, &isize, &info);
    break;
  }
  case 9:
    if (o->use) dgesdd_(*job == 'N' ? "N" : "S", m, n, a, &ld, w, z, &ld, q, &ld, work, &size, iwork, &info);
    else dgesvd_("S", *job == 'N' ? "N" : "S", m, n, a, &ld, w, z, &ld, q, &ld, work, &size, &info);
    break;
  case 10:
    dgeev_(o->use ? "V" : "N", job, n, a, &ld, w, v, z, &ld, q, &ld, work, &size, &info);
    break;
  }
  if (info) return NAN;
  for (int i = SIZE - 1; o->routine == 6 && i >= 0; i--) z[i] *= z[i / LD * LD]; /* its signs change from one point to the next */
  if (o->routine == 9 || o->routine == 10 || (*job == 'N' && o->routine > 3)) memset(a, 0, sizeof a);
  if (o->routine == 6 || o->routine == 7) memset(a, 0, sizeof a);
  for (int i = 0; i < SIZE; i++) {
    s += b[i] * sin(i + 1.0) * (1 + b[i]) + z[i] * cos(i + 3.0) + q[i] * sin(i * 2.0) * z[i / 2];
    if (o->routine > 3 || (o->uplo == 'U' ? i % LD <= i / LD : i % LD >= i / LD)) s += a[i] * cos(i + 2.0) * x[i] * (i % LD < *n && i / LD < *n);
  }
  for (int i = 0; i < LD; i++) s += sin(w[i]) * (i + 1) + v[i] * w[i] * (i + 2);
  return s;
}

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++)
    for (int bits = 0; bits < 16; bits++)
      for (int size = 0; size < (routine < ROUTINES - 1 ? 4 : bits < 4); size++) {
        struct options o = options_of(routine, bits, size);
        o.n += o.n == 0, o.m += o.m == 0;
        check(f, f, &o, ALL, -1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
