/* Roots of a polynomial with complex numbers made of structs. */
#include "../check.h"

typedef struct {
  double re, im;
} cplx;

static cplx mul(cplx a, cplx b) { return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static cplx divide(cplx a, cplx b) {
  double n = b.re * b.re + b.im * b.im;
  return (cplx){(a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n};
}

static double root(double *x) {
  cplx z[3] = {{1, 0}, {0.4, 0.9}, {-0.65, 0.72}};
  for (int step = 0; step < 30; step++)
    for (int i = 0; i < 3; i++) {
      cplx p = {x[2] + z[i].re, z[i].im}, d = {1, 0};
      p = mul(p, z[i]);
      p = mul((cplx){p.re + x[1], p.im}, z[i]);
      p.re += x[0];
      for (int j = 0; j < 3; j++)
        if (j != i)
          d = mul(d, (cplx){z[i].re - z[j].re, z[i].im - z[j].im});
      p = divide(p, d);
      z[i].re -= p.re;
      z[i].im -= p.im;
    }
  return z[0].re * 3 + z[1].im * 2 + z[2].re * z[2].re;
}

int main(void) {
  CHECK(root, -5.0, 3.0, -3.0);
  return failures;
}
