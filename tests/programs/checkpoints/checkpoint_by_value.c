/* Checkpointed steps that take structs by value, or read them where they are and pass them on so; a gradient of such loops
   that is differentiated itself. */
#include <enzyme/enzyme.h>
#include "../check.h"

struct numbers {
  double v[6];
};
static NOINLINE double use(struct numbers b, int k) { return b.v[k] * b.v[(k + 1) % 6]; }

__attribute__((enzyme("checkpoint", 2))) static void reads_whole(struct numbers *s, double w) {
  for (int k = 0; k < 6; k++)
    s->v[k] += 0.1 * w * sin(use(*s, k));
}
static double in_place(double *x) {
  struct numbers s;
  memcpy(&s, x, sizeof s);
  for (int t = 0; t < 9; t++)
    reads_whole(&s, x[6]);
  return s.v[0] * s.v[3];
}

/* what is passed changes behind the loop */
__attribute__((enzyme("checkpoint", 2))) static void takes_whole(double *x, struct numbers p) {
  x[0] += 0.1 * use(p, 2) * sin(x[1]);
  x[1] += x[0];
}
static double passed(double *x) {
  struct numbers s;
  double z[2] = {x[6], 1};
  memcpy(&s, x, sizeof s);
  for (int k = 0; k < 3; k++) {
    for (int t = 0; t < 9; t++)
      takes_whole(z, s);
    s.v[2] *= 1.5;
  }
  return z[0] * z[1];
}

static double g(const double *x) {
  double u[2] = {x[0], x[1]};
  struct numbers s = {{x[2], 1, 2, 3, 4, 5}};
  for (int t = 0; t < 5; t++)
    reads_whole(&s, u[0]);
  return s.v[0] * s.v[5] * u[1];
}
static double of_gradient(double *x) {
  double d[3] = {0};
  __enzyme_autodiff((void *)g, x, d);
  return d[0] + 2 * d[1] + 3 * d[2];
}

int main(void) {
  CHECK(in_place, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7);
  CHECK(passed, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7);
  CHECK(of_gradient, 0.1, 0.2, 0.3);
  return failures;
}
