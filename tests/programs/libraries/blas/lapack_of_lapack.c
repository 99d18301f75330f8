/* Second derivatives of routines of LAPACK by forward over reverse mode: least squares, an indefinite system, eigenvalues of a
 * general matrix, a norm, and factors of LU.
 * flags: -lopenblas */
#include <stdio.h>
#include <math.h>
#include <string.h>
extern void __enzyme_autodiff(void *, ...); extern void __enzyme_fwddiff(void *, ...);
extern void dgels_(const char*,int*,int*,int*,double*,int*,double*,int*,double*,int*,int*);
extern void dsysv_(const char*,int*,int*,double*,int*,int*,double*,int*,double*,int*,int*);
extern void dgeev_(const char*,const char*,int*,double*,int*,double*,double*,double*,int*,double*,int*,double*,int*,int*);
extern void dgetrf_(int*,int*,double*,int*,int*,int*);
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
