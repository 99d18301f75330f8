/* A model of a shared library: virtual functions, exceptions, a variable of an inline function. */
#include "model.hpp"
#include <cstdio>
#include <cmath>
extern int enzyme_dup, enzyme_const;
template <class R, class... T> R __enzyme_autodiff(void *, T...);
double f(const Model *m, const std::vector<double> *x) { try { return (*m)(*x); } catch (const std::exception &e) { return -1; } }
int main() {
  Model m; m.add(power(2, 3)); m.add(wave(1.5));
  std::vector<double> x{0.3, 0.8}, dx(2);
  __enzyme_autodiff<void>((void *)f, enzyme_const, &m, enzyme_dup, &x, &dx);
  int bad = 0;
  for (int i = 0; i < 2; i++) { double want = 6 * x[i] * x[i] + 1.5 * std::cos(1.5 * x[i]) + 3 * x[i] * x[i] + 2 * .5; bad += std::fabs(dx[i] - want) > 1e-12; std::printf("%.12f %.12f\n", dx[i], want); }
  std::printf("evaluations %d\n", Model::evaluations());
  return bad;
}
