/* Classes that own plans and their arrays: global, owned by a pointer, local, static, and passed as a constant.
 * flags: -lfftw3 -lm */
#include "../../check.h"
#include <complex>
#include <vector>
#include <memory>
#include <fftw3.h>
using cd = std::complex<double>;
struct Fft {
  int n; std::vector<double> re; std::vector<cd> spec; fftw_plan fwd, bwd;
  explicit Fft(int n) : n(n), re(n), spec(n / 2 + 1) {
    fwd = fftw_plan_dft_r2c_1d(n, re.data(), reinterpret_cast<fftw_complex *>(spec.data()), FFTW_MEASURE);
    bwd = fftw_plan_dft_c2r_1d(n, reinterpret_cast<fftw_complex *>(spec.data()), re.data(), FFTW_MEASURE);
  }
  ~Fft() { fftw_destroy_plan(fwd); fftw_destroy_plan(bwd); }
  void forward() { fftw_execute(fwd); }
  void backward() { fftw_execute(bwd); for (auto &v : re) v /= n; }
};
static double run(Fft &t, const double *x) {
  for (int i = 0; i < t.n; i++) t.re[i] = x[i] * x[i] + x[(i + 1) % t.n];
  t.forward();
  for (int k = 0; k <= t.n / 2; k++) t.spec[k] *= cd(1.0 / (1 + k), 0.1 * k) * t.spec[k];
  t.backward();
  double s = 0;
  for (int i = 0; i < t.n; i++) s += (i + 1) * t.re[i] * x[i];
  return s;
}
static Fft global(6);
static std::unique_ptr<Fft> owned;
static Fft *pointed;
static double by_global(double *x) { return run(global, x); }
static double by_owned(double *x) { return run(*owned, x); }
static double by_pointer(double *x) { return run(*pointed, x); }
static double by_local(double *x) { Fft t(6); return run(t, x); }
static double by_static(double *x) { static Fft t(6); return run(t, x); }
int main() {
  owned = std::make_unique<Fft>(6); pointed = new Fft(6);
  CHECK(by_global, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_owned, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_pointer, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_local, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  CHECK(by_static, 0.3, -1.2, 0.7, 1.1, 0.4, -0.6);
  double x[6] = {0.3, -1.2, 0.7, 1.1, 0.4, -0.6}, w[6] = {0}, dx[6] = {0};
  __enzyme_autodiff((void *)by_local, x, w);
  __enzyme_autodiff((void *)run, enzyme_const, pointed, x, dx);
  for (int i = 0; i < 6; i++) SAME(dx[i], w[i]);
  return failures;
}
