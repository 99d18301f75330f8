/* Values that are set on some ways only, and used on these ways only: LLVM computes with them on the others as well. */
#include "../check.h"

static double maybe(double *x) {
  double v, s = 0;
  for (int i = 0; i < 4; i++) {
    int is_set = 0;
    if (x[i] > 0)
      v = x[i] * x[(i + 1) % 4], is_set = 1;
    double t = is_set ? v * x[3] : x[2];
    s += t * t;
  }
  return s;
}

struct option {
  double value, other;
  int has;
};

static struct option find(const double *x, int n) {
  struct option found;
  found.has = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 1)
      found.has = 1, found.value = x[i] * 2, found.other = x[i] / 3;
  return found;
}

static double looked_up(double *x) {
  struct option a = find(x, 4), b = find(x, 2);
  double s = x[1];
  if (a.has)
    s += a.value * x[2] + a.other;
  return s + (b.has ? b.value * b.other : x[0]);
}

typedef double pair __attribute__((ext_vector_type(2)));

/* Only one lane of what is computed is used. */
static double lanes(double *x) {
  pair a = {x[0], x[1]}, b = {x[2], x[3]}, c = a * b;
  double s = c[0] * c[1];
  c = a / b;
  return s + c[0] / c[1] + (a[1] * b[0]) / (a[0] * b[1]);
}

int main(void) {
  CHECK(maybe, 1.5, -0.7, 0.4, 2.1);
  CHECK(maybe, -1.5, -0.7, -0.4, 2.1);
  CHECK(looked_up, 1.5, -0.7, 0.4, 2.1);
  CHECK(looked_up, 0.5, -0.7, 0.4, 0.1);
  CHECK(lanes, 1.5, -0.7, 0.4, 2.1);
  return failures;
}
