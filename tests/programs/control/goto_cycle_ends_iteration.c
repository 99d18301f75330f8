/* A cycle with two entries stands at the end of a loop: it leads to the next iteration directly. What the reverse sweep
 * needs to enter the cycle from behind belongs to the iteration before. */
#include "../check.h"

/* so long that LLVM does not copy it to the end of the loop */
static inline double long_sum(const double *x, double v) {
  double a = sin(v + x[1]), b = cos(v * x[2]), c = exp(x[3] - a * b);
  return a * b / (2 + c * c) + sin(a * c) * cos(b - c) + x[0] * exp(-c * c) / (1 + a * a);
}

static double twice(double *x) {
  double begin = x[0], v = x[2] * x[3], s[2] = {x[0], x[1]};
  int i = 0;
  while (begin < 0.5) {
    s[i & 1] = long_sum(x, v);
    if (++i > 4)
      break;
    int k = 0;
    if (x[i & 3] >= 0.47)
      goto middle;
  top:
    x[1] = sin(x[1] + x[2]);
  middle:
    v = 2 * (v * s[0] + 0.8) - s[1] * v;
    if (++k < 2)
      goto top;
  }
  return v + x[1];
}

static double more_each_time(double *x) {
  double begin = x[0], v = x[2] * x[3], s[2] = {x[0], x[1]};
  int i = 0;
  while (begin < 0.5) {
    s[i & 1] = long_sum(x, v);
    if (++i > 6)
      break;
    int k = 0;
    if (x[i & 3] >= 0.47)
      goto middle;
  top:
    x[1] = sin(x[1] + x[2] * s[0]);
  middle:
    v = sin(v * s[0] + 0.8) - s[1] * v;
    if (++k < 2 + (i & 3) + (v > 0.4))
      goto top;
  }
  return v + x[1];
}

int main(void) {
  CHECK(twice, -1.2, 0.456, 0.278, 0.645);
  CHECK(more_each_time, -0.7, 0.456, 0.6, 0.3);
  return failures;
}
