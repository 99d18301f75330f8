/* One function for each routine of CBLAS with complex numbers. NAME is the name of the function. */
#include <stddef.h>
typedef int O; /* one of CBLAS's enumerations */
typedef double _Complex Z;
typedef const void *V;
extern void cblas_zgemm(O, O, O, int, int, int, V, V, int, V, int, V, void *, int);
extern void cblas_zsymm(O, O, O, int, int, V, V, int, V, int, V, void *, int), cblas_zhemm(O, O, O, int, int, V, V, int, V, int, V, void *, int);
extern void cblas_zsyrk(O, O, O, int, int, V, V, int, V, void *, int), cblas_zherk(O, O, O, int, int, double, V, int, double, void *, int);
extern void cblas_zsyr2k(O, O, O, int, int, V, V, int, V, int, V, void *, int), cblas_zher2k(O, O, O, int, int, V, V, int, V, int, double, void *, int);
extern void cblas_ztrmm(O, O, O, O, O, int, int, V, V, int, void *, int), cblas_ztrsm(O, O, O, O, O, int, int, V, V, int, void *, int);
extern void cblas_zgemv(O, O, int, int, V, V, int, V, int, V, void *, int), cblas_zgbmv(O, O, int, int, int, int, V, V, int, V, int, V, void *, int);
extern void cblas_zgeru(O, int, int, V, V, int, V, int, void *, int), cblas_zgerc(O, int, int, V, V, int, V, int, void *, int);
extern void cblas_zhemv(O, O, int, V, V, int, V, int, V, void *, int), cblas_zhbmv(O, O, int, int, V, V, int, V, int, V, void *, int);
extern void cblas_zhpmv(O, O, int, V, V, V, int, V, void *, int), cblas_zher(O, O, int, double, V, int, void *, int), cblas_zhpr(O, O, int, double, V, int, void *);
extern void cblas_zher2(O, O, int, V, V, int, V, int, void *, int), cblas_zhpr2(O, O, int, V, V, int, V, int, void *);
extern void cblas_ztrmv(O, O, O, O, int, V, int, void *, int), cblas_ztrsv(O, O, O, O, int, V, int, void *, int);
extern void cblas_ztbmv(O, O, O, O, int, int, V, int, void *, int), cblas_ztpsv(O, O, O, O, int, V, void *, int);
extern void cblas_zdotu_sub(int, V, int, V, int, void *), cblas_zdotc_sub(int, V, int, V, int, void *);
extern void cblas_zaxpy(int, V, V, int, void *, int), cblas_zscal(int, V, void *, int), cblas_zdscal(int, double, void *, int);
extern double cblas_dznrm2(int, V, int), cblas_dzasum(int, V, int);
extern size_t cblas_izamax(int, V, int);
enum { ALL = 6 * SIZE + 4, TRIANGULAR = 7, ROUTINES = 26 };

double NAME(const double *x, const struct options *o) {
  Z a[SIZE], b[SIZE], c[SIZE], alpha, beta;
  double *p = (double *)a, *q = (double *)b, *r = (double *)c, *f = (double *)&alpha, *g = (double *)&beta, s = 0;
  memcpy(a, x, sizeof a), memcpy(b, x + 2 * SIZE, sizeof b), memcpy(c, x + 4 * SIZE, sizeof c);
  f[0] = x[ALL - 4], f[1] = x[ALL - 3], g[0] = x[ALL - 2], g[1] = x[ALL - 1];
  O l = o->layout, u = o->uplo_number, t = o->trans_number, v = o->trans2_number, d = o->diag_number, e = o->side_number;
  int m = o->m, n = o->n, k = o->k;
  if (o->routine >= TRIANGULAR && o->routine < TRIANGULAR + 6) for (int i = 0; i < SIZE; i++) p[2 * i] += i % 2 + 3;
  switch (o->routine) {
  case 0: cblas_zgemm(l, t, v, m, n, k, &alpha, a, LD, b, LD, &beta, c, LD); break;
  case 1: cblas_zsymm(l, e, u, m, n, &alpha, a, LD, b, LD, &beta, c, LD); break;
  case 2: cblas_zhemm(l, e, u, m, n, &alpha, a, LD, b, LD, &beta, c, LD); break;
  case 3: cblas_zsyrk(l, u, t == 113 ? 112 : t, n, k, &alpha, a, LD, &beta, c, LD); break;
  case 4: cblas_zherk(l, u, t == 112 ? 113 : t, n, k, f[0], a, LD, g[0], c, LD); break;
  case 5: cblas_zsyr2k(l, u, t == 113 ? 112 : t, n, k, &alpha, a, LD, b, LD, &beta, c, LD); break;
  case 6: cblas_zher2k(l, u, t == 112 ? 113 : t, n, k, &alpha, a, LD, b, LD, g[0], c, LD); break;
  case TRIANGULAR: cblas_ztrmm(l, e, u, t, d, m, n, &alpha, a, LD, c, LD); break;
  case 8: cblas_ztrsm(l, e, u, t, d, m, n, &alpha, a, LD, c, LD); break;
  case 9: cblas_ztrmv(l, u, t, d, n, a, LD, b, 2); break;
  case 10: cblas_ztrsv(l, u, t, d, n, a, LD, b, 1); break;
  case 11: cblas_ztbmv(l, u, t, d, n, 2, a, LD, b, -1); break;
  case 12: cblas_ztpsv(l, u, t, d, n, a, b, 2); break;
  case 13: cblas_zgemv(l, t, m, n, &alpha, a, LD, b, 1, &beta, c, 2); break;
  case 14: cblas_zgbmv(l, t, m, n, 1, 2, &alpha, a, LD, b, 1, &beta, c, 2); break;
  case 15: cblas_zgeru(l, m, n, &alpha, b, 1, c, 2, a, LD); break;
  case 16: cblas_zgerc(l, m, n, &alpha, b, 1, c, 2, a, LD); break;
  case 17: cblas_zhemv(l, u, n, &alpha, a, LD, b, 1, &beta, c, -2); break;
  case 18: cblas_zhbmv(l, u, n, 1, &alpha, a, LD, b, 1, &beta, c, 1); break;
  case 19: cblas_zhpmv(l, u, n, &alpha, a, b, 1, &beta, c, 1); break;
  case 20: cblas_zher(l, u, n, f[0], b, 2, a, LD); break;
  case 21: cblas_zhpr(l, u, n, f[0], b, 1, a); break;
  case 22: cblas_zher2(l, u, n, &alpha, b, 1, c, 2, a, LD); break;
  case 23: cblas_zhpr2(l, u, n, &alpha, b, 1, c, 1, a); break;
  case 24: {
    Z dots[2] = {0};
    cblas_zdotu_sub(n, a, 2, b, -1, dots), cblas_zdotc_sub(n, a, 1, c, 2, dots + 1);
    s = __real__ dots[0] + 2 * __imag__ dots[0] + 3 * __real__ dots[1] + 4 * __imag__ dots[1];
    break;
  }
  case 25:
    s = n ? cblas_dznrm2(n, b, 1) + cblas_dzasum(n, a, 2) + p[2 * cblas_izamax(n, b, 1)] : 0;
    cblas_zaxpy(n, &alpha, b, 1, c, 2), cblas_zscal(n, &beta, a, 1), cblas_zdscal(n, f[0], b, 2);
    break;
  }
  for (int i = 0; i < 2 * SIZE; i++) s += (r[i] * sin(i + 1.0) + q[i] * cos(i)) * (1 + r[i]) + p[i] * x[i] * q[i];
  return s;
}
