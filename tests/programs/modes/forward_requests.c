/* What a request of forward mode may say of arguments and result. */
#include "../check.h"

typedef struct {
  double value, tangent;
} pair;
typedef struct {
  float a;
  int n;
} mixed;
extern pair __enzyme_fwddiff_pair(void *, ...);
extern double *__enzyme_fwddiff_pointer(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
typedef struct {
  double x, y, z;
  long n;
} point;
typedef struct {
  point first, second;
} two_points;
extern point __enzyme_fwddiff_point(void *, ...);
extern two_points __enzyme_fwddiff_points(void *, ...);
extern int enzyme_width;
extern mixed __enzyme_fwddiff_mixed(void *, ...);

static double product(double x, double y) { return x * y * y; }
static double scaled(double *x, int n, double w) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w * x[i] * x[i];
  return s;
}
static double *second(double *x) { return x + 1; }
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
static mixed half(float x, int n) { return (mixed){x * x / 2, n + 1}; }
static float root(float x) { return sqrtf(x); }

static point rotated(double a, double r) { return (point){r * cos(a), r * sin(a), a, 3}; }

int main(void) {
  SAME(__enzyme_fwddiff((void *)product, 2.0, 0.5, 3.0, 0.25), 0.5 * 9 + 0.25 * 2 * 2 * 3);
  SAME(__enzyme_fwddiff((void *)product, 2.0, 0.5, enzyme_const, 3.0), 0.5 * 9);
  SAME(__enzyme_fwddiff((void *)product, enzyme_const, 2.0, enzyme_dup, 3.0, 0.25), 3);

  pair both = __enzyme_fwddiff_pair((void *)product, enzyme_primal_return, 2.0, 0.5, 3.0, 0.25);
  SAME(both.value, 18);
  SAME(both.tangent, 7.5);

  double x[2] = {1, 2}, dx[2] = {0.5, 0.25};
  SAME(__enzyme_fwddiff((void *)scaled, x, dx, 2, 3.0, 1.0), 3 * (2 * 0.5 + 4 * 0.25) + 5);
  SAME(__enzyme_fwddiff((void *)scaled, enzyme_const, x, 2, 3.0, 1.0), 5);
  SAME(__enzyme_fwddiff_pointer((void *)second, x, dx) - dx, 1);

  double y[2], dy[2] = {7, 7};
  __enzyme_fwddiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dup, y, dy, 2);
  SAME(y[1], 4);
  SAME(dy[0], 1);
  SAME(dy[1], 1);
  dy[0] = dy[1] = 7;
  __enzyme_fwddiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dupnoneed, NULL, dy, 2);
  SAME(dy[0], 1);
  SAME(dy[1], 1);

  SAME(__enzyme_fwddiff_mixed((void *)half, 3.0f, 0.5f, 4).a, 1.5);
  SAME(__enzyme_fwddiff_float((void *)root, 4.0f, 1.0f), 0.25);

  point p = __enzyme_fwddiff_point((void *)rotated, 0.5, 1.0, 2.0, 0.25);
  SAME(p.x, -2 * sin(0.5) + 0.25 * cos(0.5));
  SAME(p.z, 1);
  two_points q = __enzyme_fwddiff_points((void *)rotated, enzyme_primal_return, 0.5, 1.0, 2.0, 0.25);
  SAME(q.first.y, 2 * sin(0.5));
  SAME(q.first.n, 3);
  SAME(q.second.x, p.x);
  q = __enzyme_fwddiff_points((void *)rotated, enzyme_width, 2, 0.5, 1.0, 0.0, 2.0, 0.0, 0.25);
  SAME(q.first.x + q.second.x, p.x);
  SAME(q.second.y, 0.25 * sin(0.5));
  return failures;
}
