/* Class and function templates, specialisation, fold expressions, a recursion over types. */
#include "../../check.h"
#include <array>
#include <cstddef>

template <class T, std::size_t N> struct vec {
  std::array<T, N> v{};
  T &operator[](std::size_t i) { return v[i]; }
  const T &operator[](std::size_t i) const { return v[i]; }
  friend vec operator+(const vec &a, const vec &b) {
    vec r;
    for (std::size_t i = 0; i < N; i++)
      r[i] = a[i] + b[i];
    return r;
  }
  friend vec operator*(T s, const vec &a) {
    vec r;
    for (std::size_t i = 0; i < N; i++)
      r[i] = s * a[i];
    return r;
  }
};

template <class T, std::size_t N> T dot(const vec<T, N> &a, const vec<T, N> &b) {
  T s{};
  for (std::size_t i = 0; i < N; i++)
    s += a[i] * b[i];
  return s;
}

template <int N> double power(double x) { return x * power<N - 1>(x); }
template <> double power<0>(double) { return 1; }

template <class... T> double sum_of_squares(T... values) { return ((values * values) + ...); }

template <class F> NOINLINE double twice(F f, double x) { return f(f(x)); }

static double f(double *x) {
  vec<double, 3> a{{x[0], x[1], x[2]}}, b{{x[2], 1.0, x[0]}};
  auto c = x[1] * (a + b) + a;
  vec<float, 2> low{{(float)x[0], (float)x[1]}};
  double single = dot(low, low);
  return dot(c, b) + power<4>(x[0]) + sum_of_squares(x[0], x[1], x[2], 2.0f) + twice(power<2>, x[1]) + 0 * single;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  return failures;
}
