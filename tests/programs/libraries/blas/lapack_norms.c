/* LAPACK's norms, and the routines that copy, set, scale and exchange parts of matrices; condition numbers decide which
 * branch is taken, and have the derivative 0.
 * flags: -lopenblas */
#include "options.h"

typedef double *W;
extern double dlange_(C, I, I, X, I, W), dlansy_(C, C, I, X, I, W), dlantr_(C, C, C, I, I, X, I, W), dlangb_(C, I, I, I, X, I, W);
extern void dlacpy_(C, I, I, X, I, W, I), dlaset_(C, I, I, X, X, W, I), dlascl_(C, I, I, X, X, I, I, W, I, int *);
extern void dlaswp_(I, W, I, I, I, I, I), dlassq_(I, X, I, W, W);
extern void dgetrf_(I, I, W, I, int *, int *), dpotrf_(C, I, W, I, int *);
extern void dgecon_(C, I, X, I, X, W, W, int *, int *), dpocon_(C, I, X, I, X, W, W, int *, int *);
extern void dtrcon_(C, C, C, I, X, I, W, W, int *, int *);
extern double dlamch_(C);
enum { ALL = 2 * SIZE, ROUTINES = 10 };

static double f(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], work[64], s = 0, norm = 0, rcond = 0, scale = x[3], sum = x[4];
  int ld = LD, info = 0, pivots[LD], iwork[LD], one = 1, two = 2;
  I m = &o->m, n = &o->n;
  C kind = &"M1IFe"[(o->k + o->m + 2 * o->use) % 5], part = o->diag == 'U' ? &o->uplo : "A";
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b);
  switch (o->routine) {
  case 0: norm = dlange_(kind, m, n, a, &ld, work); break;
  case 1: norm = dlansy_(kind, &o->uplo, n, a, &ld, work); break;
  case 2: norm = dlantr_(kind, &o->uplo, &o->diag, m, n, a, &ld, work); break;
  case 3: norm = dlangb_(kind, n, &one, &two, a, &ld, work); break;
  case 4: dlacpy_(part, m, n, a, &ld, b, &ld); break;
  case 5: dlaset_(part, m, n, x + 5, x + 6, b, &ld); break;
  case 6: dlascl_(o->diag == 'U' ? &o->uplo : o->use ? "H" : "G", &one, &one, x + 5, x + 6, m, n, b, &ld, &info); break;
  case 7: {
    int from = 2, to = 4, increment = o->use ? 1 : -1;
    for (int i = 0; i < LD; i++) pivots[i] = i + 1 + (i < 4) * (1 + i % 2);
    dlaswp_(n, b, &ld, &from, &to, pivots, &increment);
    break;
  }
  case 8: dlassq_(n, x, &two, &scale, &sum); norm = scale * scale * sum; break;
  case 9:
    for (int i = 0; i < LD; i++) a[i * (LD + 1)] += 5;
    norm = dlange_("1", n, n, a, &ld, work);
    if (o->use) dgetrf_(n, n, a, &ld, pivots, &info), dgecon_("1", n, a, &ld, &norm, &rcond, work, iwork, &info);
    else if (o->trans == 'N') dpotrf_(&o->uplo, n, a, &ld, &info), dpocon_(&o->uplo, n, a, &ld, &norm, &rcond, work, iwork, &info);
    else dtrcon_("1", &o->uplo, "N", n, a, &ld, &rcond, work, iwork, &info);
    b[0] *= rcond > dlamch_("Epsilon") ? 3 : 2;
    break;
  }
  if (info) return NAN;
  for (int i = 0; i < SIZE; i++) s += b[i] * sin(i + 1.0) * (1 + b[i]) + a[i] * cos(i + 2.0) * x[i];
  memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + norm * norm * x[2];
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
