// The fast Fourier transform of n = 2^k complex numbers, in place, by butterflies of radix two; what is computed is a
// weighted sum of the squared magnitudes of the spectrum. Derivatives: by the signal.
#include "adbench.hpp"
#include <algorithm>

const std::vector<int> default_sizes = {8}; // k

static void reverse_bits(int n, double *x) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n / 2;
    for (; j & bit; bit /= 2)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      std::swap(x[2 * i], x[2 * j]);
      std::swap(x[2 * i + 1], x[2 * j + 1]);
    }
  }
}

// The transform, with roots of one in the order of the stages; with sign -1, its conjugate transpose.
static void transform(int n, const double *roots, double sign, double *x) {
  reverse_bits(n, x);
  for (int half = 1; half < n; roots += 2 * half, half *= 2)
    for (int first = 0; first < n; first += 2 * half) {
      double *a = x + 2 * first, *b = a + 2 * half;
      for (int k = 0; k < half; k++) {
        double re = roots[2 * k], im = sign * roots[2 * k + 1];
        double t = re * b[2 * k] - im * b[2 * k + 1], u = re * b[2 * k + 1] + im * b[2 * k];
        b[2 * k] = a[2 * k] - t, b[2 * k + 1] = a[2 * k + 1] - u;
        a[2 * k] += t, a[2 * k + 1] += u;
      }
    }
}

static double objective(int n, const double *signal, const double *roots, const double *weights) {
  numbers x(signal, signal + 2 * n);
  transform(n, roots, 1, x.data());
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += weights[i] * (x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1]);
  return sum;
}

struct fft final : problem {
  int n;
  numbers signal, weights, roots;

  explicit fft(int k) : n(1 << k) {
    generator random;
    signal = random(2 * n, -1, 1), weights = random(n, 0, 1);
    for (int half = 1; half < n; half *= 2)
      for (int i = 0; i < half; i++) {
        double angle = -M_PI * i / half;
        roots.push_back(std::cos(angle)), roots.push_back(std::sin(angle));
      }
    result.resize(2 * n);
  }
  double primal() override { return objective(n, signal.data(), roots.data(), weights.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, n, enzyme_dup, signal.data(), result.data(), enzyme_const,
                      roots.data(), enzyme_const, weights.data());
  }
  // a transform is linear: its adjoint is the conjugate one
  void by_hand() override {
    result = signal;
    transform(n, roots.data(), 1, result.data());
    for (int i = 0; i < n; i++)
      result[2 * i] *= 2 * weights[i], result[2 * i + 1] *= 2 * weights[i];
    transform(n, roots.data(), -1, result.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new fft(s[0]); }
