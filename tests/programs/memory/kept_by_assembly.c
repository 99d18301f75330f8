/* Empty assembly that keeps numbers where they are: benchmarks and compensated sums have it. */
#include "../check.h"

static void keep(double *x) { __asm__ volatile("" : "+r,m"(*x) : : "memory"); }

static void keep_in_memory(double *x) { __asm__ volatile("" : "+m"(*x)); }

static void look_at(const double *x) { __asm__ volatile("" : : "r,m"(*x) : "memory"); }

static double f(double *x) {
  double s = 0, c = 0;
  for (int i = 0; i < 4; i++) {
    double y = x[i] * x[i] - c, t = s + y;
    keep(&t);
    c = (t - s) - y;
    keep_in_memory(&c);
    s = t;
    look_at(&s);
  }
  return s * x[0];
}

int main(void) {
  CHECK(f, 0.5, 1.2, -0.7, 0.3);
  return failures;
}
