/* Second derivatives of routines of LAPACK by forward over reverse mode: least squares, an indefinite system, eigenvalues of a
 * general matrix, a norm, factors of LU and a solution with them, a Cholesky factor, and complex factors.
 * flags: -lopenblas */
#include <stdio.h>
#include <math.h>
#include <string.h>
extern void __enzyme_autodiff(void *, ...); extern void __enzyme_fwddiff(void *, ...);
extern void dgels_(const char*,int*,int*,int*,double*,int*,double*,int*,double*,int*,int*);
extern void dsysv_(const char*,int*,int*,double*,int*,int*,double*,int*,double*,int*,int*);
extern void dgeev_(const char*,const char*,int*,double*,int*,double*,double*,double*,int*,double*,int*,double*,int*,int*);
extern void dgetrf_(int*,int*,double*,int*,int*,int*);
extern void dgetrs_(const char*,int*,int*,double*,int*,int*,double*,int*,int*), dpotrf_(const char*,int*,double*,int*,int*);
extern void zgeqrf_(int*,int*,double _Complex*,int*,double _Complex*,double _Complex*,int*,int*);
extern void zhesv_(const char*,int*,int*,double _Complex*,int*,int*,double _Complex*,int*,double _Complex*,int*,int*);
extern double dlange_(const char*,int*,int*,double*,int*,double*);
static double f(const double *x) {
  double a[12], b[4], c[9], d[3], g[9], wr[3], wi[3], vl[9], vr[9], work[500]; int m = 4, n = 3, one = 1, info, size = 500, p[3];
  for (int i = 0; i < 12; i++) a[i] = x[i % 5] * cos(i) + (i % 5 == 0);
  for (int i = 0; i < 4; i++) b[i] = x[i];
  for (int i = 0; i < 9; i++) c[i] = x[i % 5] * sin(i + 1) * (i % 4 == 0 ? 0.1 : 1), g[i] = x[i % 4] + sin(i * i);
  memcpy(d, x, sizeof d);
  dgels_("N", &m, &n, &one, a, &m, b, &m, work, &size, &info);
  dsysv_("L", &n, &one, c, &n, p, d, &n, work, &size, &info);
  dgeev_("N", "V", &n, g, &n, wr, wi, vl, &n, vr, &n, work, &size, &info);
  double s = dlange_("F", &m, &n, a, &m, work);
  dgetrf_(&n, &n, g, &n, p, &info);
  double e[3] = {x[0], x[1], x[2] * x[3]}, k[9];
  dgetrs_("T", &n, &one, g, &n, p, e, &n, &info);
  for (int i = 0; i < 9; i++) k[i] = x[i / 3] * x[i % 3] + (i % 4 == 0) * (2 + x[3]);
  dpotrf_("U", &n, k, &n, &info);
  for (int i = 0; i < 3; i++) s += e[i] * e[i] * (i + 1) + k[i + 3 * i] * k[6 + i];
  double _Complex y[9], q[9], t[3], z[3] = {x[0], x[1] * 1i, x[2]}, w[500];
  for (int i = 0; i < 9; i++) y[i] = q[i] = x[i % 5] * cos(i) + 1i * x[i % 3] * sin(i + 1);
  zgeqrf_(&n, &n, y, &n, t, w, &size, &info);
  zhesv_("L", &n, &one, q, &n, p, z, &n, w, &size, &info);
  for (int i = 0; i < 3; i++) s += __real__ (z[i] * z[i]) + __imag__ t[i] + __real__ y[4 * i] * __imag__ y[6];
  for (int i = 0; i < 3; i++) s += sin(b[i]) + d[i] * d[i] + wr[i] * wr[i] * (i + 1) + vr[i] * b[i];
  for (int i = 0; i < 9; i++) s += g[i] * g[i];
  return s;
}
static void grad(const double *x, double *dx) { for (int i = 0; i < 5; i++) dx[i] = 0; __enzyme_autodiff((void*)f, x, dx); }
int main() {
  double x[5] = {.9, .3, -.7, 1.1, .4}, v[5] = {1, -.5, .3, .2, .7}, g[5], hv[5] = {0}, up[5], dn[5], gu[5], gd[5]; int bad = 0;
  __enzyme_fwddiff((void*)grad, x, v, g, hv);
  for (int i = 0; i < 5; i++) up[i] = x[i] + 1e-6 * v[i], dn[i] = x[i] - 1e-6 * v[i];
  grad(up, gu); grad(dn, gd);
  for (int i = 0; i < 5; i++) { double w = (gu[i] - gd[i]) / 2e-6; bad += !(fabs(w - hv[i]) < 1e-5 * (1 + fabs(w))); printf("%g %g\n", hv[i], w); }
  return bad;
}
