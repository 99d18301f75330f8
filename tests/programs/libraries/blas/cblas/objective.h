/* One function for each routine of CBLAS. NAME is the name of the function. */
#include <stddef.h>
typedef int O; /* one of CBLAS's enumerations */
extern void cblas_dgemm(O, O, O, int, int, int, double, X, int, X, int, double, double *, int);
extern void cblas_dsymm(O, O, O, int, int, double, X, int, X, int, double, double *, int);
extern void cblas_dsyrk(O, O, O, int, int, double, X, int, double, double *, int);
extern void cblas_dsyr2k(O, O, O, int, int, double, X, int, X, int, double, double *, int);
extern void cblas_dtrmm(O, O, O, O, O, int, int, double, X, int, double *, int);
extern void cblas_dtrsm(O, O, O, O, O, int, int, double, X, int, double *, int);
extern void cblas_dgemv(O, O, int, int, double, X, int, X, int, double, double *, int);
extern void cblas_dgbmv(O, O, int, int, int, int, double, X, int, X, int, double, double *, int);
extern void cblas_dger(O, int, int, double, X, int, X, int, double *, int);
extern void cblas_dsymv(O, O, int, double, X, int, X, int, double, double *, int);
extern void cblas_dsbmv(O, O, int, int, double, X, int, X, int, double, double *, int);
extern void cblas_dspmv(O, O, int, double, X, X, int, double, double *, int);
extern void cblas_dtrmv(O, O, O, O, int, X, int, double *, int), cblas_dtrsv(O, O, O, O, int, X, int, double *, int);
extern void cblas_dtbmv(O, O, O, O, int, int, X, int, double *, int), cblas_dtpmv(O, O, O, O, int, X, double *, int);
extern void cblas_dsyr(O, O, int, double, X, int, double *, int);
extern void cblas_dspr2(O, O, int, double, X, int, X, int, double *);
extern double cblas_ddot(int, X, int, X, int), cblas_dnrm2(int, X, int);
extern size_t cblas_idamax(int, X, int);
enum { ALL = 3 * SIZE + 2, ROUTINES = 19 };

double NAME(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], c[SIZE], alpha = x[ALL - 2], beta = x[ALL - 1], s = 0;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b), memcpy(c, x + 2 * SIZE, sizeof c);
  if (o->routine >= 4) for (int i = 0; i < LD; i++) a[i * LD + i] += 3;
  switch (o->routine) {
  case 0: cblas_dgemm(o->layout, o->trans_number, o->trans2_number, o->m, o->n, o->k, alpha, a, LD, b, LD, beta, c, LD); break;
  case 1: cblas_dsymm(o->layout, o->side_number, o->uplo_number, o->m, o->n, alpha, a, LD, b, LD, beta, c, LD); break;
  case 2: cblas_dsyrk(o->layout, o->uplo_number, o->trans_number, o->n, o->k, alpha, a, LD, beta, c, LD); break;
  case 3: cblas_dsyr2k(o->layout, o->uplo_number, o->trans_number, o->n, o->k, alpha, a, LD, b, LD, beta, c, LD); break;
  case 4: cblas_dtrmm(o->layout, o->side_number, o->uplo_number, o->trans_number, o->diag_number, o->m, o->n, alpha, a, LD, c, LD); break;
  case 5: cblas_dtrsm(o->layout, o->side_number, o->uplo_number, o->trans_number, o->diag_number, o->m, o->n, alpha, a, LD, c, LD); break;
  case 6: cblas_dgemv(o->layout, o->trans_number, o->m, o->n, alpha, a, LD, b, 1, beta, c, 2); break;
  case 7: cblas_dgbmv(o->layout, o->trans_number, o->m, o->n, 1, 2, alpha, a, LD, b, 1, beta, c, 2); break;
  case 8: cblas_dger(o->layout, o->m, o->n, alpha, b, 1, c, 2, a, LD); break;
  case 9: cblas_dsymv(o->layout, o->uplo_number, o->n, alpha, a, LD, b, 1, beta, c, 1); break;
  case 10: cblas_dspmv(o->layout, o->uplo_number, o->n, alpha, a, b, 1, beta, c, 1); break;
  case 11: cblas_dtrmv(o->layout, o->uplo_number, o->trans_number, o->diag_number, o->n, a, LD, b, 2); break;
  case 12: cblas_dtrsv(o->layout, o->uplo_number, o->trans_number, o->diag_number, o->n, a, LD, b, 2); break;
  case 13: cblas_dtbmv(o->layout, o->uplo_number, o->trans_number, o->diag_number, o->n, 2, a, LD, b, 1); break;
  case 14: cblas_dtpmv(o->layout, o->uplo_number, o->trans_number, o->diag_number, o->n, a, b, 1); break;
  case 15: cblas_dsyr(o->layout, o->uplo_number, o->n, alpha, b, 1, a, LD); break;
  case 16: cblas_dspr2(o->layout, o->uplo_number, o->n, alpha, b, 1, c, 1, a); break;
  case 17: s = cblas_ddot(o->n, a, 2, b, -1) + cblas_dnrm2(o->n, b, 1) + a[cblas_idamax(o->n, b, 1)]; break;
  case 18: cblas_dsbmv(o->layout, o->uplo_number, o->n, 1, alpha, a, LD, b, 1, beta, c, 1); break;
  }
  for (int i = 0; i < SIZE; i++) s += (c[i] * sin(i + 1.0) + b[i]) * (1 + c[i]) + a[i] * x[i] * b[i];
  return s;
}
