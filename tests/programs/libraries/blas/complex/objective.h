/* One function for each routine of BLAS with complex numbers, by its Fortran name. It is called NAME. NUMBER and REAL are
 * the types, Z, DZ and ZD make the names of the routines, and AMAX is one. */
#define P const NUMBER *
#define R const REAL *
#define N NUMBER *
extern void Z(axpy)(I, P, P, I, N, I), Z(scal)(I, P, N, I), Z(copy)(I, P, I, N, I), Z(swap)(I, N, I, N, I);
extern NUMBER Z(dotu)(I, P, I, P, I), Z(dotc)(I, P, I, P, I);
extern REAL DZ(nrm2)(I, P, I), DZ(asum)(I, P, I);
extern void ZD(scal)(I, R, N, I), ZD(rot)(I, N, I, N, I, R, R), Z(rotg)(N, P, REAL *, N);
extern int AMAX(I, P, I);
extern void Z(gemv)(C, I, I, P, P, I, P, I, P, N, I), Z(gbmv)(C, I, I, I, I, P, P, I, P, I, P, N, I);
extern void Z(geru)(I, I, P, P, I, P, I, N, I), Z(gerc)(I, I, P, P, I, P, I, N, I);
extern void Z(hemv)(C, I, P, P, I, P, I, P, N, I), Z(hbmv)(C, I, I, P, P, I, P, I, P, N, I), Z(hpmv)(C, I, P, P, P, I, P, N, I);
extern void Z(symv)(C, I, P, P, I, P, I, P, N, I), Z(spmv)(C, I, P, P, P, I, P, N, I), Z(syr)(C, I, P, P, I, N, I), Z(spr)(C, I, P, P, I, N);
extern void Z(her)(C, I, R, P, I, N, I), Z(hpr)(C, I, R, P, I, N), Z(her2)(C, I, P, P, I, P, I, N, I), Z(hpr2)(C, I, P, P, I, P, I, N);
extern void Z(trmv)(C, C, C, I, P, I, N, I), Z(tbmv)(C, C, C, I, I, P, I, N, I), Z(tpmv)(C, C, C, I, P, N, I);
extern void Z(trsv)(C, C, C, I, P, I, N, I), Z(tbsv)(C, C, C, I, I, P, I, N, I), Z(tpsv)(C, C, C, I, P, N, I);
extern void Z(gemm)(C, C, I, I, I, P, P, I, P, I, P, N, I), Z(symm)(C, C, I, I, P, P, I, P, I, P, N, I), Z(hemm)(C, C, I, I, P, P, I, P, I, P, N, I);
extern void Z(syrk)(C, C, I, I, P, P, I, P, N, I), Z(herk)(C, C, I, I, R, P, I, R, N, I);
extern void Z(syr2k)(C, C, I, I, P, P, I, P, I, P, N, I), Z(her2k)(C, C, I, I, P, P, I, P, I, R, N, I);
extern void Z(trmm)(C, C, C, C, I, I, P, P, I, N, I), Z(trsm)(C, C, C, C, I, I, P, P, I, N, I);

double NAME(const double *x, const struct options *o) {
  NUMBER a[SIZE], b[SIZE], c[SIZE], alpha, beta;
  REAL *p = (REAL *)a, *q = (REAL *)b, *r = (REAL *)c, real, real2, *f = (REAL *)&alpha, *g = (REAL *)&beta;
  int ld = LD, one = 1, two = 2;
  double s = 0;
  const char *u = &o->uplo, *t = &o->trans, *v = &o->trans2, *d = &o->diag, *e = &o->side;
  I m = &o->m, n = &o->n, k = &o->k, ix = &o->incx, iy = &o->incy;
  for (int i = 0; i < 2 * SIZE; i++) p[i] = x[i], q[i] = x[i + 2 * SIZE], r[i] = x[i + 4 * SIZE];
  f[0] = x[ALL - 4], f[1] = x[ALL - 3], g[0] = x[ALL - 2], g[1] = x[ALL - 1], real = f[0], real2 = g[0];
  if (o->routine >= TRIANGULAR) for (int i = 0; i < SIZE; i++) p[2 * i] += i % 2 + 3;
  if (x[ALL - 2] == 0 && o->is_whole) /* beta = 0: what was there is not read */
    for (int j = 0; j < *n; j++) for (int i = 0; i < *m; i++) c[i + j * LD] = NAN;
  switch (o->routine) {
  case 0: Z(axpy)(n, &alpha, b, ix, c, iy); break;
  case 1: Z(scal)(n, &alpha, b, ix); break;
  case 2: Z(copy)(n, b, ix, c, iy); break;
  case 3: Z(swap)(n, b, ix, c, iy); break;
  case 4: *a += Z(dotu)(n, b, ix, c, iy); break;
  case 5: *a += Z(dotc)(n, b, ix, c, iy); break;
  case 6: s = DZ(nrm2)(n, b, ix); break;
  case 7: s = DZ(asum)(n, b, ix); break;
  case 8: ZD(scal)(n, &real, b, ix); break;
  case 9: ZD(rot)(n, b, ix, c, iy, &real, &real2); break;
  case 10: Z(rotg)(a, b, (REAL *)(b + 1), b + 2); break;
  case 11: if (*n) s = q[2 * (AMAX(n, b, ix) - 1) * *ix]; break;
  case 12: Z(gemv)(t, m, n, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 13: Z(gbmv)(t, m, n, &one, &two, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 14: Z(geru)(m, n, &alpha, b, ix, c, iy, a, &ld); break;
  case 15: Z(gerc)(m, n, &alpha, b, ix, c, iy, a, &ld); break;
  case 16: Z(hemv)(u, n, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 17: Z(hbmv)(u, n, &one, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 18: Z(hpmv)(u, n, &alpha, a, b, ix, &beta, c, iy); break;
  case 19: Z(her)(u, n, &real, b, ix, a, &ld); break;
  case 20: Z(hpr)(u, n, &real, b, ix, a); break;
  case 21: Z(her2)(u, n, &alpha, b, ix, c, iy, a, &ld); break;
  case 22: Z(hpr2)(u, n, &alpha, b, ix, c, iy, a); break;
  case 23: Z(gemm)(t, v, m, n, k, &alpha, a, &ld, o->alias ? a : b, &ld, &beta, c, &ld); break;
  case 24: Z(symm)(e, u, m, n, &alpha, a, &ld, b, &ld, &beta, c, &ld); break;
  case 25: Z(hemm)(e, u, m, n, &alpha, a, &ld, b, &ld, &beta, c, &ld); break;
  case 26: Z(syrk)(u, t, n, k, &alpha, a, &ld, &beta, c, &ld); break;
  case 27: Z(herk)(u, t, n, k, &real, a, &ld, &real2, c, &ld); break;
  case 28: Z(syr2k)(u, t, n, k, &alpha, a, &ld, o->alias ? a : b, &ld, &beta, c, &ld); break;
  case 29: Z(her2k)(u, t, n, k, &alpha, a, &ld, o->alias ? a : b, &ld, &real2, c, &ld); break;
  case 30: Z(symv)(u, n, &alpha, a, &ld, b, ix, &beta, c, iy); break;
  case 31: Z(spmv)(u, n, &alpha, a, b, ix, &beta, c, iy); break;
  case 32: Z(syr)(u, n, &alpha, b, ix, a, &ld); break;
  case 33: Z(spr)(u, n, &alpha, b, ix, a); break;
  case TRIANGULAR: Z(trmv)(u, t, d, n, a, &ld, b, ix); break;
  case 35: Z(tbmv)(u, t, d, n, &one, a, &ld, b, ix); break;
  case 36: Z(tpmv)(u, t, d, n, a, b, ix); break;
  case 37: Z(trsv)(u, t, d, n, a, &ld, b, ix); break;
  case 38: Z(tbsv)(u, t, d, n, &one, a, &ld, b, ix); break;
  case 39: Z(tpsv)(u, t, d, n, a, b, ix); break;
  case 40: Z(trmm)(e, u, t, d, m, n, &alpha, a, &ld, c, &ld); break;
  case 41: Z(trsm)(e, u, t, d, m, n, &alpha, a, &ld, c, &ld); break;
  }
  for (int i = 0; i < 2 * SIZE; i++)
    s += (p[i] + q[i] * cos(i + 1.0) + r[i] * sin(i + 1.0)) * (1 + r[i]) + p[i] * x[i] * q[i];
  if (o->k & 1) memset(a, 0, sizeof a), memset(b, 0, sizeof b);
  return s + p[0];
}
#undef P
#undef R
#undef N
#undef NAME
#undef NUMBER
#undef REAL
#undef Z
#undef DZ
#undef ZD
#undef AMAX
