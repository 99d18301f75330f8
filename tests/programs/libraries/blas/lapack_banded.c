/* LAPACK's systems with three diagonals and with bands, where the objective uses all that they leave; and expert drivers.
 * flags: -lopenblas */
#include "options.h"

typedef double *W;
extern void dgtsv_(I, I, W, W, W, W, I, int *), dpttrf_(I, W, W, int *), dpttrs_(I, I, X, X, W, I, int *), dptsv_(I, I, W, W, W, I, int *);
extern void dgbtrf_(I, I, I, I, W, I, int *, int *), dgbtrs_(C, I, I, I, I, X, I, I, W, I, int *);
extern void dgbsv_(I, I, I, I, W, I, int *, W, I, int *);
extern void dpbtrf_(C, I, I, W, I, int *), dpbtrs_(C, I, I, I, X, I, W, I, int *), dpbsv_(C, I, I, I, W, I, W, I, int *);
extern void dgbcon_(C, I, I, I, X, I, I, X, W, W, int *, int *);
extern void dgesvx_(C, C, I, I, W, I, W, I, int *, char *, W, W, W, I, W, I, W, W, W, W, int *, int *);
extern void dposvx_(C, C, I, I, W, I, W, I, char *, W, W, I, W, I, W, W, W, W, int *, int *);
extern void dgbsvx_(C, C, I, I, I, I, W, I, W, I, int *, char *, W, W, W, I, W, I, W, W, W, W, int *, int *);
enum { ALL = 2 * SIZE, ROUTINES = 12 };

static double f(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], s = 0, rcond = 1, norm = 1, work[64];
  int ld = LD, info = 0, pivots[LD], iwork[LD], kl = 1 + o->use % 2, ku = (kl == 1) + (o->diag == 'U'), kd = kl;
  const char *u = &o->uplo, *t = &o->trans;
  I m = &o->m, n = &o->n, k = &o->k;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b);
  int definite = (o->routine > 5 && o->routine < 9) || o->routine == 1 || o->routine == 2;
  for (int i = 0; definite && i < LD; i++) {
    a[i * LD + (o->uplo == 'U' ? kd : 0)] += 5;
    if (o->routine < 3) a[i] += 5;
  }
  switch (o->routine) {
  case 0: dgtsv_(n, k, a, a + 6, a + 12, b, &ld, &info); break;
  case 1: dpttrf_(n, a, a + 6, &info); dpttrs_(n, k, a, a + 6, b, &ld, &info); break;
  case 2: dptsv_(n, k, a, a + 6, b, &ld, &info); break;
  case 3: dgbtrf_(m, n, &kl, &ku, a, &ld, pivots, &info); break;
  case 4:
    dgbtrf_(n, n, &kl, &ku, a, &ld, pivots, &info);
    dgbcon_("1", n, &kl, &ku, a, &ld, pivots, &norm, &rcond, work, iwork, &info);
    dgbtrs_(t, n, &kl, &ku, k, a, &ld, pivots, b, &ld, &info);
    break;
  case 5: dgbsv_(n, &kl, &ku, k, a, &ld, pivots, b, &ld, &info); break;
  case 6: dpbtrf_(u, n, &kd, a, &ld, &info); break;
  case 7: dpbtrf_(u, n, &kd, a, &ld, &info); dpbtrs_(u, n, &kd, k, a, &ld, b, &ld, &info); break;
  case 8: dpbsv_(u, n, &kd, k, a, &ld, b, &ld, &info); break;
  }
  if (o->routine > 8) { /* the solution alone */
    double factors[SIZE], z[SIZE] = {0}, r[LD], c[LD], ferr[LD], berr[LD];
    char scaled = 'N';
    C how = o->diag == 'U' ? "E" : "N";
    for (int i = 0; i < LD; i++) a[i * (o->routine == 11 ? LD : LD + 1)] += 5;
    if (o->routine == 9) dgesvx_(how, t, n, k, a, &ld, factors, &ld, pivots, &scaled, r, c, b, &ld, z, &ld, &rcond, ferr, berr, work, iwork, &info);
    if (o->routine == 10) dposvx_(how, u, n, k, a, &ld, factors, &ld, &scaled, r, b, &ld, z, &ld, &rcond, ferr, berr, work, iwork, &info);
    if (o->routine == 11) dgbsvx_(how, t, n, &kl, &ku, k, a, &ld, factors, &ld, pivots, &scaled, r, c, b, &ld, z, &ld, &rcond, ferr, berr, work, iwork, &info);
    memcpy(b, z, sizeof b), memset(a, 0, sizeof a);
  }
  if (info || rcond == 0) return NAN;
  for (int i = 0; i < SIZE; i++) {
    s += b[i] * sin(i + 1.0) * (1 + b[i]);
    if (i < LD * *n) s += a[i] * cos(i + 2.0) * x[i];
  }
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + a[0];
}

int main(void) {
  for (int routine = 0; routine < ROUTINES; routine++)
    for (int bits = 0; bits < 16; bits++)
      for (int size = 0; size < 4; size++) {
        struct options o = options_of(routine, bits, size);
        o.n += o.n == 0, o.m += o.m == 0;
        check(f, f, &o, ALL, -1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
