/* flags: -std=c++17
 *
 * A derivative gives a local vector more memory. Another vector and its shadow lie as far from each other as the first
 * one and its shadow do: they are no members of one object with them. */
#include <cmath>
#include <cstdio>
#include <vector>

template <class Result, class... Arguments> Result __enzyme_autodiff(void *, Arguments...);
extern int enzyme_dup;

using Vector = std::vector<double>;

static double f(Vector &v) {
  v.push_back(v[0] * v[1]);
  double sum = 0;
  for (double x : v)
    sum += x * x;
  return sum;
}

int main() {
  Vector first{2, 3}, first_shadow(2), second{4, 5}, second_shadow(2);
  __enzyme_autodiff<double>((void *)f, enzyme_dup, &first, &first_shadow);
  second.reserve(3);
  second_shadow.reserve(3);
  __enzyme_autodiff<double>((void *)f, enzyme_dup, &second, &second_shadow);
  printf("%g %g\n", first_shadow[0], second_shadow[1]); /* 2 x (1 + y^2), 2 y (1 + x^2) */
  return std::fabs(first_shadow[0] - 40) + std::fabs(second_shadow[1] - 170) < 1e-12 ? 0 : 1;
}
