/* memcpy, memmove and assignment of structs that mix numbers of all sorts, integers and pointers. */
#include "../check.h"

struct mixed {
  int n;
  float f;
  double d;
  double *p;
  char name[5];
  double v[2];
};

static double copy(double *x) {
  struct mixed a = {2, (float)x[0], x[1], x, "abcd", {x[2], x[0] * x[1]}}, b, many[3];
  memcpy(&b, &a, sizeof b);
  b.d *= b.p[2];
  b.v[1] += b.d;
  for (int i = 0; i < 3; i++) {
    many[i] = i ? many[i - 1] : b;
    many[i].v[0] *= many[i].d * b.n;
  }
  memmove(many, many + 1, 2 * sizeof b);
  return many[0].v[0] * many[1].v[1] + many[2].d * (double)many[1].f + b.name[1] * a.d;
}
static double twin(double *x) {
  double ad = x[1], av0 = x[2], av1 = x[0] * x[1], bd = ad * x[2], bv1 = av1 + bd;
  double m0 = av0 * bd * 2, m1 = m0 * bd * 2;
  return m1 * bv1 + bd * x[0] + 'b' * ad;
}

int main(void) {
  double x[] = {0.5, 1.2, 0.7}, dx[3] = {0};
  __enzyme_autodiff((void *)copy, x, dx);
  for (int i = 0; i < 3; i++)
    same("copy", i, dx[i], check_difference(twin, x, 3, i), 1e-6);
  return failures;
}
