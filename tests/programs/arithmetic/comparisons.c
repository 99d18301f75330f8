/* Each comparison, in each precision, decides a branch. */
#include "../check.h"

#define COMPARE(T)                                                                                                     \
  {                                                                                                                    \
    T a = (T)x[0], b = (T)x[1];                                                                                        \
    if (a < b)                                                                                                         \
      s += a * a;                                                                                                      \
    if (a > b)                                                                                                         \
      s += a * b;                                                                                                      \
    if (a <= b)                                                                                                        \
      s += 3 * b;                                                                                                      \
    if (a >= b)                                                                                                        \
      s += b * b * a;                                                                                                  \
    if (a == b)                                                                                                        \
      s += 100 * a;                                                                                                    \
    if (a != b)                                                                                                        \
      s *= b;                                                                                                          \
    if (!(a < b) || isnan(a))                                                                                          \
      s -= a;                                                                                                          \
  }
static double compare(double *x) {
  double s = x[2];
  COMPARE(float)
  COMPARE(double)
  COMPARE(long double)
  return s;
}
static double twin(double *x) {
  double s = x[2];
  COMPARE(double)
  COMPARE(double)
  COMPARE(double)
  return s;
}

int main(void) {
  double points[][3] = {{1, 2, 3}, {2.5, 1.5, -1}, {-1, 0.5, 2}};
  for (int p = 0; p < 3; p++) {
    double dx[3] = {0}, x[3];
    memcpy(x, points[p], sizeof x);
    __enzyme_autodiff((void *)compare, x, dx);
    for (int i = 0; i < 3; i++)
      same("compare", i, dx[i], check_difference(twin, points[p], 3, i), 1e-5);
  }
  return failures;
}
