/* Level 3 of BLAS by its Fortran names: all options, also operands that are the same memory, that are overwritten
 * before the reverse sweep, and beta = 0.
 * flags: -lopenblas */
#include "options.h"

extern void dgemm_(C, C, I, I, I, X, X, I, X, I, X, double *, I);
extern void dsymm_(C, C, I, I, X, X, I, X, I, X, double *, I);
extern void dsyrk_(C, C, I, I, X, X, I, X, double *, I);
extern void dsyr2k_(C, C, I, I, X, X, I, X, I, X, double *, I);
extern void dtrmm_(C, C, C, C, I, I, X, X, I, double *, I);
extern void dtrsm_(C, C, C, C, I, I, X, X, I, double *, I);
enum { ALL = 3 * SIZE + 2 };

static double f(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], c[SIZE], alpha = x[ALL - 2], beta = x[ALL - 1];
  int ld = LD;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b), memcpy(c, x + 2 * SIZE, sizeof c);
  if (o->routine >= 4) for (int i = 0; i < LD; i++) a[i * LD + i] += 3;
  switch (o->routine) {
  case 0: dgemm_(&o->trans, &o->trans2, &o->m, &o->n, &o->k, &alpha, a, &ld, o->alias ? a : b, &ld, &beta, c, &ld); break;
  case 1: dsymm_(&o->side, &o->uplo, &o->m, &o->n, &alpha, a, &ld, b, &ld, &beta, c, &ld); break;
  case 2: dsyrk_(&o->uplo, &o->trans, &o->n, &o->k, &alpha, a, &ld, &beta, c, &ld); break;
  case 3: dsyr2k_(&o->uplo, &o->trans, &o->n, &o->k, &alpha, a, &ld, o->alias ? a : b, &ld, &beta, c, &ld); break;
  case 4: dtrmm_(&o->side, &o->uplo, &o->trans, &o->diag, &o->m, &o->n, &alpha, a, &ld, c, &ld); break;
  case 5: dtrsm_(&o->side, &o->uplo, &o->trans, &o->diag, &o->m, &o->n, &alpha, a, &ld, c, &ld); break;
  }
  double s = 0;
  for (int i = 0; i < SIZE; i++) s += c[i] * sin(i + 1.0) * (1 + c[i]) + a[i] * x[i] * b[i];
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + a[0];
}
int main(void) {
  for (int routine = 0; routine < 6; routine++)
    for (int bits = 0; bits < 32; bits++)
      for (int size = 0; size < 4; size++) {
        struct options o = options_of(routine, bits, size);
        o.alias = size == 3;
        check(f, f, &o, ALL, bits % 5 ? -1 : ALL - 1);
      }
  printf("%d tried, %d wrong\n", tried, failures);
  return failures != 0;
}
