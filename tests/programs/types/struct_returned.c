/* Functions that return structs: small ones in registers, large ones in memory, mixed ones, with pointers. */
#include "../check.h"

struct two { double a, b; };
struct floats { float a, b, c; };
struct large { double v[4]; int n; };
struct mixed { int n; double v; };
struct view { double *at; long n; };
struct both { double *at; double scale; };

NOINLINE static struct two two(double a, double b) { return (struct two){a * b, a + b}; }
NOINLINE static struct floats floats(double a) { return (struct floats){(float)a, (float)(a * a), 2}; }
NOINLINE static struct large large(const double *x) {
  struct large l = {{x[0], x[1], x[0] * x[2], 1}, 3};
  return l;
}
NOINLINE static struct mixed mixed(double a, int n) { return (struct mixed){n + 1, a * n}; }
NOINLINE static struct view view(double *x, long n) { return (struct view){x + n, n}; }
NOINLINE static struct both both(double *x, double s) { return (struct both){x + 1, s * s}; }

static double run(double *x) {
  struct two t = two(x[0], x[1]);
  struct large l = large(x);
  struct mixed m = mixed(t.a, l.n);
  struct view v = view(x, 2);
  return t.b * l.v[2] + m.v * m.n + *v.at * (double)v.n + l.v[0] * t.a;
}

static double pair(double *x) {
  struct both b = both(x, x[2]);
  return b.at[0] * b.scale + b.at[1];
}

static double single(double *x) {
  struct floats f = floats(x[0]);
  return f.a * 3 + f.b * x[1] + f.c;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  CHECK(pair, 0.5, 1.2, -0.7);
  double x[2] = {0.5, 1.2}, dx[2] = {0};
  __enzyme_autodiff((void *)single, x, dx);
  SAME(dx[0], 3 + 2 * 0.5 * 1.2);
  SAME(dx[1], 0.25);
  return failures;
}
