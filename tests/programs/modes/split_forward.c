/* __enzyme_fwdsplit: forward mode with a tape, of functions that leave their inputs as they are. */
#include "../check.h"

struct taped {
  void *tape;
  double value;
};
struct two {
  double a, b;
};
extern int enzyme_nofree;
extern struct taped __enzyme_augmentfwd(void *, ...);
extern void *__enzyme_augmentfwd_void(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern struct two __enzyme_fwdsplit_two(void *, ...);
extern double __enzyme_reverse(void *, ...);

static NOINLINE void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
static double f(const double *x, int n, double a) {
  double *t = malloc(n * sizeof *t), s = 0;
  squares(x, t, n);
  for (int i = 0; i < n; i++) {
    t[i] *= a;
    s += sin(t[i]);
  }
  free(t);
  return s;
}
static void g(const double *x, double *y) { squares(x, y, 2); }

int main(void) {
  double x[] = {1, 2, 3}, dx[] = {0.5, -1, 2}, want = 0, adjoints[3] = {0};
  for (int i = 0; i < 3; i++)
    want += cos(2 * x[i] * x[i]) * (4 * x[i] * dx[i] + x[i] * x[i] * 0.25);
  struct taped t = __enzyme_augmentfwd((void *)f, x, dx, 3, 2.0);
  SAME(__enzyme_fwdsplit((void *)f, enzyme_nofree, x, dx, 3, 2.0, 0.25, t.tape), want);
  struct two both = __enzyme_fwdsplit_two((void *)f, enzyme_nofree, enzyme_primal_return, x, dx, 3, 2.0, 0.25, t.tape);
  SAME(both.a, t.value);
  SAME(both.b, want);
  double by_a = __enzyme_reverse((void *)f, x, adjoints, 3, 2.0, 1.0, t.tape);
  SAME(adjoints[0] * dx[0] + adjoints[1] * dx[1] + adjoints[2] * dx[2] + by_a * 0.25, want);
  double y[2], dy[2];
  void *tape = __enzyme_augmentfwd_void((void *)g, x, dx, y, dy);
  __enzyme_fwdsplit((void *)g, x, dx, y, dy, tape);
  SAME(dy[1], -4);
  return failures;
}
