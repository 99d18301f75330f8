/* Structs whose words mix integers and floats: the ABI passes them in integers. */
#include "../check.h"

struct word {
  int n;
  float f;
};
struct words {
  double d;
  int n, m;
};
struct float_first {
  float f;
  int n;
  double d;
};

NOINLINE static struct word bump(struct word w, float by) { return (struct word){w.n + 1, w.f * by * w.n}; }
NOINLINE static struct words more(struct words w) { return (struct words){w.d * w.d * w.m, w.n + w.m, w.m}; }
NOINLINE static struct float_first last(struct float_first a) { return (struct float_first){a.f * a.n, a.n, a.d * a.f}; }

static double run(double *x) {
  struct word w = {1, (float)x[0]};
  struct words v = {x[1], 1, 2};
  for (int i = 0; i < 3; i++) {
    w = bump(w, (float)x[2]);
    v = more(v);
  }
  struct float_first l = last((struct float_first){(float)x[0], 3, v.d});
  return w.f * v.d * w.n + v.n + l.f * l.d;
}
static double twin(double *x) {
  double f = x[0], d = x[1];
  for (int i = 1; i <= 3; i++) {
    f = f * x[2] * i;
    d = d * d * 2;
  }
  return f * d * 4 + x[0] * 3 * d * x[0];
}

int main(void) {
  double x[] = {0.5, 0.6, 0.7}, dx[3] = {0};
  __enzyme_autodiff((void *)run, x, dx);
  for (int i = 0; i < 3; i++)
    same("run", i, dx[i], check_difference(twin, x, 3, i), 1e-5);
  return failures;
}
