/* A recursive fast Fourier transform of structs, in place, with scratch on the stack of each call. */
#include "../check.h"

typedef struct {
  double re, im;
} cplx;

static void fft(cplx *z, int n) {
  if (n == 1)
    return;
  cplx even[n / 2], odd[n / 2];
  for (int i = 0; i < n / 2; i++) {
    even[i] = z[2 * i];
    odd[i] = z[2 * i + 1];
  }
  fft(even, n / 2);
  fft(odd, n / 2);
  for (int i = 0; i < n / 2; i++) {
    double c = cos(2 * 3.14159265358979 * i / n), s = -sin(2 * 3.14159265358979 * i / n);
    cplx t = {c * odd[i].re - s * odd[i].im, c * odd[i].im + s * odd[i].re};
    z[i] = (cplx){even[i].re + t.re, even[i].im + t.im};
    z[i + n / 2] = (cplx){even[i].re - t.re, even[i].im - t.im};
  }
}

static double spectrum(double *x) {
  cplx z[8];
  for (int i = 0; i < 8; i++)
    z[i] = (cplx){x[i % 4] * i, x[(i + 1) % 4]};
  fft(z, 8);
  double s = 0;
  for (int i = 0; i < 8; i++)
    s += sqrt(z[i].re * z[i].re + z[i].im * z[i].im) * (i + 1);
  return s;
}

int main(void) {
  CHECK(spectrum, 0.5, 1.2, 0.7, -0.4);
  return failures;
}
