/* Split mode in two directions at once: two seeds, two shadows of each argument, one tape; also used again. */
#include "../check.h"

extern int enzyme_width, enzyme_nofree, enzyme_dupv, enzyme_allocated, enzyme_tape;
struct taped {
  void *tape;
  double value;
};
struct two {
  double a, b;
};
struct four {
  double a, b, c, d;
};
extern void *__enzyme_augmentfwd(void *, ...);
extern struct taped __enzyme_augmentfwd_taped(void *, ...);
extern double __enzyme_augmentfwd_placed(void *, ...);
extern unsigned long __enzyme_augmentsize(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern struct two __enzyme_reverse_two(void *, ...);
extern struct four __enzyme_reverse_four(void *, ...);
extern struct two __enzyme_fwdsplit(void *, ...);

static NOINLINE void mix(double *t, const double *x, int n) {
  for (int i = 0; i < n; i++)
    t[i % 2] += sin(x[i]) * t[1];
}
static void f(double *x, double *y, int n) {
  double *t = calloc(2, sizeof *t);
  t[1] = 1;
  mix(t, x, n);
  y[0] = t[0] * t[1];
  y[1] = x[0] * x[1];
  x[0] = t[0];
  free(t);
}
static double g(double x, double y) { return x * x * y; }

int main(void) {
  double x[3] = {0.3, 0.5, 0.7}, dx[2][3] = {{0}}, y[2], dy[2][2] = {{1, 0}, {0, 1}}, one[3] = {0}, seed[2] = {1, 0};
  double z[3] = {0.3, 0.5, 0.7};
  __enzyme_autodiff((void *)f, z, one, y, seed, 3);
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_width, 2, x, dx[0], dx[1], y, dy[0], dy[1], 3);
  for (int k = 0; k < 2; k++) {
    memset(dx, 0, sizeof dx);
    dy[0][0] = dy[1][1] = 1, dy[0][1] = dy[1][0] = 0;
    if (k)
      __enzyme_reverse((void *)f, enzyme_width, 2, x, dx[0], dx[1], y, dy[0], dy[1], 3, tape);
    else
      __enzyme_reverse((void *)f, enzyme_width, 2, enzyme_nofree, x, dx[0], dx[1], y, dy[0], dy[1], 3, tape);
    for (int i = 0; i < 3; i++)
      SAME(dx[0][i], one[i]);
    SAME(dx[1][0], 0.5);
    SAME(dx[1][1], 0.3);
    SAME(dx[1][2], 0);
  }
  struct taped t = __enzyme_augmentfwd_taped((void *)g, enzyme_width, 2, 3.0, 5.0);
  struct two forward = __enzyme_fwdsplit((void *)g, enzyme_nofree, enzyme_width, 2, 3.0, 1.0, 2.0, 5.0, 0.0, 1.0, t.tape);
  SAME(forward.a, 30);
  SAME(forward.b, 69);
  struct four d = __enzyme_reverse_four((void *)g, enzyme_width, 2, 3.0, 5.0, 1.0, 10.0, t.tape);
  SAME(d.a, 30);
  SAME(d.b, 300);
  SAME(d.c, 9);
  SAME(d.d, 90);
  char memory[300];
  SAME(__enzyme_augmentsize((void *)g, enzyme_width, 2, enzyme_out, enzyme_const) <= sizeof memory, 1);
  __enzyme_augmentfwd_placed((void *)g, enzyme_width, 2, enzyme_allocated, sizeof memory, enzyme_tape, memory, 3.0,
                             enzyme_const, 5.0);
  struct two e = __enzyme_reverse_two((void *)g, enzyme_width, 2, 3.0, enzyme_const, 5.0, memory);
  SAME(e.a, 30);
  SAME(e.b, 30);
  return failures;
}
