/* Results that f keeps in static memory for the next call with the same argument. A call before the gradient, at the
 * same place, must not make it the gradient of a constant. */
#include "../check.h"

NOINLINE static double position(double t) {
  static double last_t, last;
  if (t == last_t)
    return last;
  last_t = t;
  return last = sin(t) + t * t;
}

/* keys of several numbers, beside the result in one struct */
static struct {
  int calls;
  double a, b;
  double result;
} area;

NOINLINE static double ellipse(double a, double b) {
  area.calls++;
  if (a != area.a || b != area.b) {
    area.result = a * b * exp(a - b);
    area.a = a;
    area.b = b;
  }
  return area.result;
}

/* a vector that memcmp compares */
NOINLINE static double norm(const double *x) {
  static double key[3], kept;
  static int used;
  if (!used || memcmp(key, x, sizeof key)) {
    memcpy(key, x, sizeof key);
    kept = x[0] * x[0] * x[1] + x[1] * x[2];
    used = 1;
  }
  return kept;
}

/* a vector that a loop compares */
NOINLINE static double product(const double *x) {
  static float key[3];
  static double kept;
  int same = 1;
  for (int i = 0; i < 3; i++)
    same &= key[i] == (float)x[i];
  if (!same) {
    kept = 1;
    for (int i = 0; i < 3; i++)
      key[i] = (float)x[i], kept *= x[i];
  }
  return kept;
}

/* near enough */
NOINLINE static double near(double t) {
  static double last_t = -1e30, last;
  if (fabs(t - last_t) > 1e-14) {
    last_t = t;
    last = exp(t) * t;
  }
  return last;
}

/* each thread has its own */
NOINLINE static double local(double t) {
  static _Thread_local double last_t, last;
  if (last_t != t)
    last = 1 / t, last_t = t;
  return last;
}

/* no key: the time passes from one to the next */
static double now, distance;

NOINLINE static double moved(const double *t) {
  if (*t != now) {
    distance += 3 * (*t - now);
    now = *t;
  }
  return distance;
}

static double all(double *x) {
  double sum = position(x[0]) * position(x[1]) + position(x[1]); /* the last one is found */
  sum += ellipse(x[0], x[1]) + 2 * ellipse(x[0], x[1]);
  return sum + norm(x) + product(x) + near(x[2]) * near(x[2]) + local(x[2]);
}

int main(void) {
  double x[] = {0.5, 1.2, 0.7};
  all(x);
  CHECK(all, 0.5, 1.2, 0.7);
  CHECK(all, 0.5, 1.2, 0.7);
  double t = 0.5, dt = 0;
  moved(&t);
  __enzyme_autodiff((void *)moved, enzyme_dup, &t, &dt);
  SAME(now, 0.5);
  SAME(distance, 1.5);
  return failures;
}
