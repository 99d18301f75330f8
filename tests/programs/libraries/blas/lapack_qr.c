/* LAPACK's factorisations QR and LQ, what uses their stored form, and least squares of all shapes, where the objective uses
 * all that they leave; and matrices that are larger than the blocks of the derivatives.
 * flags: -lopenblas */
#include "options.h"

typedef double *W;
extern void dgeqrf_(I, I, W, I, W, W, I, int *), dgelqf_(I, I, W, I, W, W, I, int *);
extern void dorgqr_(I, I, I, W, I, X, W, I, int *), dorglq_(I, I, I, W, I, X, W, I, int *);
extern void dormqr_(C, C, I, I, I, X, I, X, W, I, W, I, int *), dormlq_(C, C, I, I, I, X, I, X, W, I, W, I, int *);
extern void dgeqp3_(I, I, W, I, int *, W, W, I, int *);
extern void dgels_(C, I, I, I, W, I, W, I, W, I, int *);
extern void dgelss_(I, I, I, W, I, W, I, W, X, int *, W, I, int *);
extern void dgelsd_(I, I, I, W, I, W, I, W, X, int *, W, I, int *, int *);
enum { ALL = 2 * SIZE, ROUTINES = 9, LARGE = 70, SMALL = 40 };

static int least(int a, int b) { return a < b ? a : b; }

/* R, a product with Q, and Q itself, of a matrix with more than two blocks */
static double large(const double *x, const struct options *o) {
  static double a[LARGE * LARGE], c[LARGE * LARGE], tau[LARGE], work[64 * LARGE];
  int m = o->trans == 'N' ? LARGE : SMALL, n = o->trans == 'N' ? SMALL : LARGE, k = SMALL, ld = LARGE, size = 64 * LARGE, info;
  double s = 0;
  for (int i = 0; i < LARGE * LARGE; i++) a[i] = x[i % ALL] * cos(i) + (i % (LARGE + 1) == 0) * 3, c[i] = x[i * 7 % ALL];
  dgeqrf_(&m, &n, a, &ld, tau, work, &size, &info);
  dormqr_("L", &o->trans, &m, &n, &k, a, &ld, tau, c, &ld, work, &size, &info);
  for (int i = 0; i < LARGE * LARGE; i++) s += (a[i] + c[i] * c[i]) * sin(i) / LARGE;
  dorgqr_(&m, &k, &k, a, &ld, tau, work, &size, &info);
  for (int i = 0; i < LARGE * LARGE; i++) s += a[i] * sin(i) * x[i % ALL];
  return s;
}

static double f(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], q[SIZE] = {0}, tau[LD] = {0}, work[1024], rcond = -1, s = 0;
  int ld = LD, info = 0, size = 1024, rank, iwork[64] = {0}, use_factors = 1;
  int m = o->m, n = o->n, k = least(m, n), rows = o->m, columns = o->n;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b);
  for (int i = 0; i < LD; i++) a[i * LD + i] += 0.5;
  if (o->routine == ROUTINES - 1) return large(x, o);
  switch (o->routine) {
  case 0: dgeqrf_(&m, &n, a, &ld, tau, work, &size, &info); break;
  case 1: dgelqf_(&m, &n, a, &ld, tau, work, &size, &info); break;
  case 2: /* Q has m rows and, by turns, all columns or those of the factorisation */
    dgeqrf_(&m, &n, a, &ld, tau, work, &size, &info);
    memcpy(q, a, sizeof q);
    dorgqr_(&m, o->use ? &m : &k, &k, q, &ld, tau, work, &size, &info);
    break;
  case 3:
    dgelqf_(&m, &n, a, &ld, tau, work, &size, &info);
    memcpy(q, a, sizeof q);
    dorglq_(o->use ? &n : &k, &n, &k, q, &ld, tau, work, &size, &info);
    break;
  case 4:
    dgeqrf_(&m, &n, a, &ld, tau, work, &size, &info);
    if (o->side == 'L') columns = o->k; else rows = o->k, columns = m;
    dormqr_(&o->side, &o->trans, &rows, &columns, &k, a, &ld, tau, b, &ld, work, &size, &info);
    break;
  case 5:
    dgelqf_(&m, &n, a, &ld, tau, work, &size, &info);
    if (o->side == 'L') rows = n, columns = o->k; else rows = o->k, columns = n;
    dormlq_(&o->side, &o->trans, &rows, &columns, &k, a, &ld, tau, b, &ld, work, &size, &info);
    break;
  case 7: /* some columns stay in front */
    iwork[2] = o->use;
    dgeqp3_(&m, &n, a, &ld, iwork, tau, work, &size, &info);
    for (int i = 0; i < n; i++) b[0] *= 1 + iwork[i] * (i + 1);
    break;
  case 6:
    use_factors = o->side == 'L';
    if (o->side == 'L') dgels_(&o->trans, &m, &n, &o->k, a, &ld, b, &ld, work, &size, &info);
    else if (o->trans == 'N') dgelss_(&m, &n, &o->k, a, &ld, b, &ld, tau, &rcond, &rank, work, &size, &info);
    else dgelsd_(&m, &n, &o->k, a, &ld, b, &ld, tau, &rcond, &rank, work, &size, iwork, &info);
    break;
  }
  if (info) return NAN;
  for (int i = 0; i < SIZE; i++)
    s += (use_factors || i % LD < n ? b[i] : 0) * sin(i + 1.0) * (1 + b[i]) + q[i] * cos(i * i) + (use_factors ? a[i] * cos(i + 2.0) * x[i] : 0);
  for (int i = 0; i < LD; i++) s += tau[i] * (i + 1);
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b), memset(tau, 0, sizeof tau);
  return s + a[0];
}

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++)
    for (int bits = 0; bits < 8; bits++)
      for (int size = 0; size < (routine < ROUTINES - 1 ? 4 : bits % 4 == 0); size++) {
        struct options o = options_of(routine, bits, size);
        o.n += o.n == 0, o.m += o.m == 0;
        check(f, f, &o, ALL, -1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
