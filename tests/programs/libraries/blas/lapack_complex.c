/* LAPACK with complex numbers: factorisations and solutions, where the objective uses the solution alone, or the factors too;
 * eigenvectors with their phases. -DLAPACKE adds its names, by rows and columns. A matrix that is larger than the blocks of the adjoint.
 * flags: -lopenblas */
#include "options.h"

typedef double _Complex Z;
typedef const double _Complex *P;
extern void zpotrf_(C, I, Z *, I, int *), zpotrs_(C, I, I, P, I, Z *, I, int *), zposv_(C, I, I, Z *, I, Z *, I, int *);
extern void zgetrf_(I, I, Z *, I, int *, int *), zgetrs_(C, I, I, P, I, I, Z *, I, int *), zgesv_(I, I, Z *, I, int *, Z *, I, int *);
extern void zheev_(C, C, I, Z *, I, double *, Z *, I, double *, int *);
extern void zheevd_(C, C, I, Z *, I, double *, Z *, I, double *, I, int *, I, int *);
extern void ztrtri_(C, C, I, Z *, I, int *), zpotri_(C, I, Z *, I, int *), zgetri_(I, Z *, I, I, Z *, I, int *);
extern void zgels_(C, I, I, I, Z *, I, Z *, I, Z *, I, int *), ztrtrs_(C, C, C, I, I, P, I, Z *, I, int *);
extern int LAPACKE_zpotrf(int, char, int, Z *, int), LAPACKE_zpotri(int, char, int, Z *, int), LAPACKE_ztrtri(int, char, char, int, Z *, int);
extern int LAPACKE_zposv(int, char, int, int, Z *, int, Z *, int), LAPACKE_zpotrs(int, char, int, int, P, int, Z *, int);
extern int LAPACKE_zgesv(int, int, int, Z *, int, int *, Z *, int), LAPACKE_ztrtrs(int, char, char, char, int, int, P, int, Z *, int);
extern int LAPACKE_zgetrf(int, int, int, Z *, int, int *), LAPACKE_zgetri(int, int, Z *, int, I);
extern int LAPACKE_zgetrs(int, char, int, int, P, int, I, Z *, int), LAPACKE_zheev(int, char, char, int, Z *, int, double *);
enum { ALL = 4 * SIZE, E_NAMES = 15, LAST = 23, LARGE = 101 };
static const char *const names[] = {"potrf", "potrs", "potrf and potrs", "posv", "getrf", "getrs", "getrf and getrs", "gesv", "trtrs", "heev",
    "trtri", "potri", "getri", "gels", "heevd", "E potrf", "E posv", "E potrf, potrs", "E gesv", "E getrf, getrs", "E trtrs", "E heev",
    "E trtri or potri", "large potrf"};

/* The sum of a function of the factor of x x^H + 101. */
static double large(const double *x, const struct options *o) {
  static Z a[LARGE * LARGE];
  int n = LARGE, info;
  double s = 0;
  for (int i = 0; i < LARGE; i++)
    for (int j = 0; j < LARGE; j++)
      a[i + j * LARGE] = (x[i % ALL] + 1.0i * x[(i + 7) % ALL]) * (x[j % ALL] - 1.0i * x[(j + 7) % ALL]) + (i == j) * LARGE;
  zpotrf_(&o->uplo, &n, a, &n, &info);
  for (int i = 0; i < LARGE * LARGE; i++)
    s += (__real__ a[i] * sin(i) + __imag__ a[i] * cos(i)) * (o->uplo == 'U' ? i % LARGE <= i / LARGE : i % LARGE >= i / LARGE);
  return s;
}

static double of_vectors(int n, const Z *a, const double *w, int row, int column, int has_vectors) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += sin(w[i]) * (i + 1);
    for (int j = 0; has_vectors && j < n; j++) /* the sign of a vector is free: only products of its components */
      for (int k = 0; k < n; k++) {
        Z p = a[i * column + j * row] * a[i * column + k * row];
        s += __real__ p * sin(i + 2 * j + k) + __imag__ p * cos(i + j + 3 * k);
      }
  }
  return s;
}

static double f(const double *x, const struct options *o) {
  Z a[SIZE], b[SIZE], work[64];
  double *p = (double *)a, *q = (double *)b, s = 0, w[LD], rwork[200];
  int ld = LD, info = 0, pivots[LD], size = 64, large_size = 200, iwork[64];
  const char *u = &o->uplo, *t = &o->trans, *g = &o->diag;
  I m = &o->m, n = &o->n, k = &o->k;
  if (o->routine == LAST) return large(x, o);
  for (int i = 0; i < 2 * SIZE; i++) p[i] = x[i], q[i] = x[i + 2 * SIZE];
  int is_hermitian = o->routine < 4 || o->routine == 11 || (o->routine >= 15 && o->routine <= 17) || o->routine == 22;
  for (int i = 0; i < LD; i++) a[i * LD + i] += is_hermitian ? 6 : 0.5;
  int is_eigen = o->routine == 9 || o->routine == 14 || o->routine == 21, has_vectors = o->diag != 'U';
  switch (o->routine) {
  case 0: zpotrf_(u, n, a, &ld, &info); break;
  case 1: zpotrs_(u, n, k, a, &ld, b, &ld, &info); break;
  case 2: zpotrf_(u, n, a, &ld, &info); zpotrs_(u, n, k, a, &ld, b, &ld, &info); break;
  case 3: zposv_(u, n, k, a, &ld, b, &ld, &info); break;
  case 4: zgetrf_(m, n, a, &ld, pivots, &info); break;
  case 5: for (int i = 0; i < LD; i++) pivots[i] = i + 1 + (i + 1 < *n); zgetrs_(t, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 6: zgetrf_(n, n, a, &ld, pivots, &info); zgetrs_(t, n, k, a, &ld, pivots, b, &ld, &info); break;
  case 7: zgesv_(n, k, a, &ld, pivots, b, &ld, &info); break;
  case 8: ztrtrs_(u, t, g, n, k, a, &ld, b, &ld, &info); break;
  case 9: zheev_(has_vectors ? "V" : "N", u, n, a, &ld, w, work, &size, rwork, &info); break;
  case 10: ztrtri_(u, g, n, a, &ld, &info); break;
  case 11: zpotrf_(u, n, a, &ld, &info); zpotri_(u, n, a, &ld, &info); break;
  case 12: zgetrf_(n, n, a, &ld, pivots, &info); zgetri_(n, a, &ld, pivots, work, &size, &info); break;
  case 13: { /* no more columns than rows; only the solution is used */
    int rows = *m > *n ? *m : *n, columns = *m > *n ? *n : *m;
    zgels_("N", &rows, &columns, k, a, &ld, b, &ld, work, &size, &info);
    memset(a, 0, sizeof a);
    for (int i = 0; i < SIZE; i++) b[i] = i % LD < columns ? b[i] : 0;
    break;
  }
  case 14: zheevd_(has_vectors ? "V" : "N", u, n, a, &ld, w, work, &size, rwork, &large_size, iwork, &size, &info); break;
#ifdef LAPACKE
  case 15: info = LAPACKE_zpotrf(o->layout, *u, *n, a, LD); break;
  case 16: info = LAPACKE_zposv(o->layout, *u, *n, *k, a, LD, b, LD); break;
  case 17: info = LAPACKE_zpotrf(o->layout, *u, *n, a, LD); info += LAPACKE_zpotrs(o->layout, *u, *n, *k, a, LD, b, LD); break;
  case 18: info = LAPACKE_zgesv(o->layout, *n, *k, a, LD, pivots, b, LD); break;
  case 19: info = LAPACKE_zgetrf(o->layout, *n, *n, a, LD, pivots); info += LAPACKE_zgetrs(o->layout, *t, *n, *k, a, LD, pivots, b, LD); break;
  case 20: info = LAPACKE_ztrtrs(o->layout, *u, *t, *g, *n, *k, a, LD, b, LD); break;
  case 21: info = LAPACKE_zheev(o->layout, has_vectors ? 'V' : 'N', *u, *n, a, LD, w); break;
  case 22:
    info = *m % 2 ? LAPACKE_ztrtri(o->layout, *u, *g, *n, a, LD) : LAPACKE_zpotrf(o->layout, *u, *n, a, LD);
    if (!info && *m % 2 == 0) info = LAPACKE_zpotri(o->layout, *u, *n, a, LD);
    break;
#endif
  }
  if (info) return NAN;
  if (is_eigen) {
    int is_by_rows = o->routine == 21 && o->layout == 101;
    s = of_vectors(*n, a, w, is_by_rows ? LD : 1, is_by_rows ? 1 : LD, has_vectors);
    memset(a, 0, sizeof a);
  }
  for (int i = 0; i < 2 * SIZE; i++) s += q[i] * sin(i + 1.0) * (1 + q[i]) + (o->use ? p[i] * cos(i + 2.0) * x[i] : 0);
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + p[0];
}

int main(void) {
  for (int routine = 0; routine <= LAST; routine++) {
#ifndef LAPACKE
    if (routine == E_NAMES) routine = LAST;
#endif
    int before = tried, wrong = failures;
    for (int bits = 0; bits < 96; bits++)
      for (int size = 0; size < 4; size++) {
        struct options o = options_of(routine, bits % 32 + 32 * (bits / 16 % 2 && routine >= 15), size);
        o.trans = "NtC"[bits / 32];
        o.n += o.n == 0, o.m += o.m == 0;
        int is_large = routine == LAST, uses_trans = routine == 5 || routine == 6 || routine == 8 || routine == 19 || routine == 20;
        if (is_large ? bits < 4 && size == 0 : bits < 32 || uses_trans) check(f, f, &o, ALL, -1);
      }
    printf("%s: %d right, %d wrong\n", names[routine], tried - before - (failures - wrong), failures - wrong);
  }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
