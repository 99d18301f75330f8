/* Second derivatives, where globals point at work space that was made before, is grown by free and malloc, or changes
 * places: forward over reverse, reverse over reverse. */
#include "../check.h"

static double *work, *now, *next;
static int have;
NOINLINE static double *space(int n) {
  if (n > have) {
    free(work);
    work = malloc(n * sizeof *work);
    have = n;
  }
  return work;
}
static double pass(const double *x, int n) {
  double *w = space(n), s = 0;
  for (int i = 0; i < n; i++)
    w[i] = x[i % 3] * x[(i + 1) % 3] + (i ? w[i - 1] * x[0] : 0);
  for (int i = 0; i < n; i++)
    s += sin(w[i]);
  return s;
}
static double grown(double *x) { return pass(x, 3) * pass(x, 5) + pass(x, 2); }
static double swapped(double *x) {
  for (int i = 0; i < 4; i++)
    now[i] = x[i % 3] * x[0];
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < 4; i++)
      next[i] = now[i] * now[(i + 1) % 4] + x[t];
    double *other = now;
    now = next, next = other;
  }
  return now[0] + now[3];
}
#define OF(f)                                                                                                          \
  static double gradient_of_##f(double *x) {                                                                           \
    double g[3] = {0}, at[3];                                                                                          \
    memcpy(at, x, sizeof at);                                                                                          \
    __enzyme_autodiff((void *)f, enzyme_dup, at, g);                                                                   \
    return g[0] * g[1] + g[2];                                                                                         \
  }
OF(grown)
OF(swapped)

int main(void) {
  for (int round = 0; round < 2; round++) {
    double x[3] = {0.4, -0.7, 1.2};
    now = malloc((4 + round) * sizeof *now), next = malloc((4 + round) * sizeof *next);
    if (!round) /* the second round makes work space in the gradient */
      grown(x), swapped(x);
    CHECK(gradient_of_grown, 0.4, -0.7, 1.2);
    CHECK(gradient_of_swapped, 0.4, -0.7, 0.9);
    free(now), free(next), free(work);
    work = NULL, have = 0;
  }
  return failures;
}
