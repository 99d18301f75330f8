/* Complex BLAS and LAPACK from C++, by numbers of std::complex.
 * flags: -lopenblas */
#include "../../check.h"
#include <complex>
#include <vector>

using Z = std::complex<double>;
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
extern "C" {
void zgemm_(const char *, const char *, const int *, const int *, const int *, const Z *, const Z *, const int *, const Z *,
            const int *, const Z *, Z *, const int *);
void zposv_(const char *, const int *, const int *, Z *, const int *, Z *, const int *, int *);
Z zdotu_(const int *, const Z *, const int *, const Z *, const int *);
void cblas_zgemv(int, int, int, int, const void *, const void *, int, const void *, int, const void *, void *, int);
}

static double f(double *x) {
  const int n = 4, one = 1, columns = 2;
  int info;
  std::vector<Z> a(n * n), c(n * n), b(n * columns), y(n);
  Z f(x[0], x[1]), none(0);
  for (int i = 0; i < n * n; i++) a[i] = Z(x[i % 4] * i, x[(i + 1) % 4] * x[i % 3]);
  for (int i = 0; i < n * columns; i++) b[i] = std::polar(1 + x[i % 4] * x[i % 4], x[(i + 1) % 4]);
  Z real_factor = 1;
  zgemm_("N", "C", &n, &n, &n, &real_factor, a.data(), &n, a.data(), &n, &none, c.data(), &n);
  for (int i = 0; i < n; i++) c[i * n + i] += 3;
  zposv_("U", &n, &columns, c.data(), &n, b.data(), &n, &info);
  cblas_zgemv(101, 113, n, n, &f, a.data(), n, b.data(), 2, &none, y.data(), 1);
  Z dot = zdotu_(&n, y.data(), &one, b.data(), &one);
  return std::norm(dot) + std::arg(y[1]) + std::abs(y[2]) + (std::exp(y[0] / 20.) * std::conj(b[1])).imag();
}

int main() {
  CHECK(f, 0.7, 0.4, -0.3, 0.9);
  return failures;
}
