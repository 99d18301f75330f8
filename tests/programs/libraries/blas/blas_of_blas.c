/* Second derivatives by forward over reverse mode, several directions at once, calls in a loop.
 * flags: -lopenblas */
#include <math.h>
#include <stdio.h>
#include <string.h>
extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_dupnoneed;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
typedef const char *C; typedef const int *I; typedef const double *X;
extern void dgemm_(C, C, I, I, I, X, X, I, X, I, X, double *, I);
extern void dtrsm_(C, C, C, C, I, I, X, X, I, double *, I);
enum { N = 5, S = N * N };
static double f(const double *x) {
  double a[S], c[S], one = 1.5, beta = 0.5; int n = N;
  memcpy(a, x, sizeof a); memcpy(c, x, sizeof c);
  for (int i = 0; i < N; i++) a[i * N + i] += 3;
  for (int l = 0; l < 2; l++) {
    dgemm_("N", "T", &n, &n, &n, &one, a, &n, x, &n, &beta, c, &n);
    dtrsm_("L", "U", "N", "N", &n, &n, &one, a, &n, c, &n);
    one += 0.5;
  }
  double s = 0;
  for (int i = 0; i < S; i++) s += c[i] * c[i] * sin(i);
  return s;
}
static void g(const double *x, double *d) { memset(d, 0, S * 8); __enzyme_autodiff((void *)f, x, d); }
struct three { double v[3]; };
extern struct three __enzyme_fwddiff3(void *, ...);
int main(void) {
  double x[S], t[S], d[S], dd[S] = {0}, p[S], q[S], gp[S], gq[S], e = 0, m = 0;
  for (int i = 0; i < S; i++) x[i] = cos(3. * i), t[i] = sin(i + 2.);
  __enzyme_fwddiff((void *)g, enzyme_dup, x, t, enzyme_dup, d, dd);
  double h = 1e-5;
  for (int i = 0; i < S; i++) p[i] = x[i] + h * t[i], q[i] = x[i] - h * t[i];
  g(p, gp), g(q, gq);
  for (int i = 0; i < S; i++) e = fmax(e, fabs(dd[i] - (gp[i] - gq[i]) / (2 * h))), m = fmax(m, fabs(dd[i]));
  printf("second derivatives: error %g of %g\n", e, m);
  double t2[S], t3[S];
  for (int i = 0; i < S; i++) t2[i] = 1, t3[i] = i == 3;
  struct three w = __enzyme_fwddiff3((void *)f, enzyme_width, 3, enzyme_dup, x, t, t2, t3);
  g(x, d);
  double a = 0, b = 0;
  for (int i = 0; i < S; i++) a += d[i] * t[i], b += d[i];
  printf("%g %g %g: %g %g %g\n", w.v[0], w.v[1], w.v[2], a, b, d[3]);
  double d1[S] = {0}, d2[S] = {0};
  __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, d1, d2);
  double k = 0;
  for (int i = 0; i < S; i++) k = fmax(k, fmax(fabs(d1[i] - d[i]), fabs(d2[i] - d[i])));
  printf("width: %g\n", k);
  return !(e < 1e-5 * m) || fabs(w.v[0] - a) > 1e-8 || k > 1e-10;
}
