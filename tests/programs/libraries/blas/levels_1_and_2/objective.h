/* One function for each routine of levels 1 and 2. NAME is the name of the function. */
extern void daxpy_(I, X, X, I, double *, I), dscal_(I, X, double *, I), dcopy_(I, X, I, double *, I), dswap_(I, double *, I, double *, I);
extern double ddot_(I, X, I, X, I), dnrm2_(I, X, I), dasum_(I, X, I);
extern void drot_(I, double *, I, double *, I, X, X), drotg_(double *, double *, double *, double *), drotm_(I, double *, I, double *, I, X);
extern void dgemv_(C, I, I, X, X, I, X, I, X, double *, I), dgbmv_(C, I, I, I, I, X, X, I, X, I, X, double *, I), dger_(I, I, X, X, I, X, I, double *, I);
extern void dsymv_(C, I, X, X, I, X, I, X, double *, I), dsbmv_(C, I, I, X, X, I, X, I, X, double *, I), dspmv_(C, I, X, X, X, I, X, double *, I);
extern void dtrmv_(C, C, C, I, X, I, double *, I), dtbmv_(C, C, C, I, I, X, I, double *, I), dtpmv_(C, C, C, I, X, double *, I);
extern void dtrsv_(C, C, C, I, X, I, double *, I), dtbsv_(C, C, C, I, I, X, I, double *, I), dtpsv_(C, C, C, I, X, double *, I);
extern void dsyr_(C, I, X, X, I, double *, I), dspr_(C, I, X, X, I, double *), dsyr2_(C, I, X, X, I, X, I, double *, I), dspr2_(C, I, X, X, I, X, I, double *);
enum { ALL = 3 * SIZE + 2, ROUTINES = 26, SCAL = 1, NRM2 = 5, ASUM = 6, WITHOUT_BETA = 13 };

double NAME(const double *x, const struct options *o) {
  double a[SIZE], b[SIZE], c[SIZE], alpha = x[ALL - 2], beta = x[ALL - 1], s = 0, h[5] = {-1, 0, 0, 0, 0};
  int ld = LD, one = 1;
  const char *u = &o->uplo, *t = &o->trans, *g = &o->diag;
  I m = &o->m, n = &o->n, k = &o->k, ix = &o->incx, iy = &o->incy;
  memcpy(a, x, sizeof a), memcpy(b, x + SIZE, sizeof b), memcpy(c, x + 2 * SIZE, sizeof c);
  for (int i = 0; o->routine >= 16 && o->routine < 22 && i < SIZE; i++) a[i] += i % 2 + 2;
  switch (o->routine) {
  case 0: daxpy_(n, &alpha, b, ix, c, iy); break;
  case 1: dscal_(n, &alpha, b, ix); break;
  case 2: dcopy_(n, b, ix, c, iy); break;
  case 3: dswap_(n, b, ix, c, iy); break;
  case 4: s = ddot_(n, b, ix, c, iy); break;
  case 5: s = dnrm2_(n, b, ix); break;
  case 6: s = dasum_(n, b, ix); break;
  case 7: drot_(n, b, ix, c, iy, &alpha, &beta); break;
  case 8: drotg_(&a[0], &a[1], &b[3], &b[4]); break;
  case 9: for (int i = 0; i < 4; i++) h[i + 1] = a[i]; h[0] = *k % 3 - 1; drotm_(n, b, ix, c, iy, h); break;
  case 10: dgemv_(t, m, n, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 11: { int kl = 1, ku = 2; dgbmv_(t, m, n, &kl, &ku, &alpha, a, &ld, b, ix, &beta, c, iy); break; }
  case 12: dger_(m, n, &alpha, b, ix, c, iy, a, &ld); break;
  case 13: dsymv_(u, n, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 14: dsbmv_(u, n, &one, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 15: dspmv_(u, n, &alpha, a, b, ix, &beta, c, iy); break;
  case 16: dtrmv_(u, t, g, n, a, &ld, b, ix); break;
  case 17: dtbmv_(u, t, g, n, &one, a, &ld, b, ix); break;
  case 18: dtpmv_(u, t, g, n, a, b, ix); break;
  case 19: dtrsv_(u, t, g, n, a, &ld, b, ix); break;
  case 20: dtbsv_(u, t, g, n, &one, a, &ld, b, ix); break;
  case 21: dtpsv_(u, t, g, n, a, b, ix); break;
  case 22: dsyr_(u, n, &alpha, b, ix, a, &ld); break;
  case 23: dspr_(u, n, &alpha, b, ix, a); break;
  case 24: dsyr2_(u, n, &alpha, b, ix, c, iy, a, &ld); break;
  case 25: dspr2_(u, n, &alpha, b, ix, c, iy, a); break;
  }
  for (int i = 0; i < SIZE; i++) s += (a[i] + b[i] * cos(i + 1.0) + c[i] * sin(i + 1.0)) * (1 + c[i]) + a[i] * x[i] * b[i];
  return s;
}
