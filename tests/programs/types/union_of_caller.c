/* Unions that the caller passes, each read as what it holds. */
#include "../check.h"
struct value {
  int kind;
  union {
    float number;
    const double *reference;
    struct {
      float a, b;
    } two;
  } u;
};
static double get(struct value v) {
  switch (v.kind) {
  case 0:
    return v.u.number;
  case 1:
    return *v.u.reference;
  default:
    return v.u.two.a * v.u.two.b;
  }
}
static double f(struct value *v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    struct value a = v[i], b = v[(i + 1) % n];
    s += get(a) * get(b);
  }
  return s;
}
int main(void) {
  double x[2] = {0.5, 1.2}, dx[2] = {0};
  struct value v[3] = {{0}, {1}, {2}}, dv[3];
  memset(dv, 0, sizeof dv);
  v[0].u.number = 3, v[1].u.reference = x;
  v[2].u.two.a = 2, v[2].u.two.b = 5;
  dv[1].u.reference = dx;
  __enzyme_autodiff((void *)f, v, dv, enzyme_const, 3);
  /* s = n r + r ab + ab n */
  SAME(dv[0].u.number, 0.5 + 10);
  SAME(dx[0], 3 + 10);
  SAME(dv[2].u.two.a, 5 * (0.5 + 3));
  SAME(dv[2].u.two.b, 2 * (0.5 + 3));
  return failures;
}
