/* Checkpointed loops: the gradient of a plain loop, for any number of steps and states, in as few steps as revolve
 * takes; nested in other differentiated code, with parameters, called twice. */
static long counted;
#define ENZYME_CHECKPOINT_COUNT counted
#include <enzyme/checkpoint.h>
#include "../check.h"

enum { N = 3 };
struct parameters {
  double rate, drift;
};

static void step(double *u, const struct parameters *p, long t) {
  double first = u[0];
  for (int i = 0; i < N; i++)
    u[i] = u[i] + p->rate * sin(i + 1 < N ? u[i + 1] : first) * u[i] + p->drift * (t % 3);
}

ENZYME_CHECKPOINTED(with_1, step, double, const struct parameters, 1)
ENZYME_CHECKPOINTED(with_2, step, double, const struct parameters, 2)
ENZYME_CHECKPOINTED(with_3, step, double, const struct parameters, 3)
ENZYME_CHECKPOINTED(with_10, step, double, const struct parameters, 10)

static double plain(double *u, const struct parameters *p, long steps) {
  for (long t = 0; t < steps; t++)
    step(u, p, t);
  return u[0] * u[1] + u[2];
}

#define LOOP(n)                                                                                                        \
  static double loop_##n(double *u, const struct parameters *p, long steps) {                                          \
    with_##n(u, N * sizeof *u, p, steps);                                                                              \
    return u[0] * u[1] + u[2];                                                                                         \
  }
LOOP(1)
LOOP(2)
LOOP(3)
LOOP(10)

static const struct parameters given = {0.07, 0.01};

#define GRADIENT(f, u, du, dp, steps)                                                                                  \
  __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, &given, &dp, enzyme_const, steps)

/* The fewest steps that a gradient takes: by dynamic programming over where the next state is stored. */
enum { MOST_STEPS = 40 };
static long fewest(long steps, long stored) {
  static long known[MOST_STEPS + 1][12];
  if (steps <= 1)
    return 0;
  if (stored == 1)
    return steps * (steps - 1) / 2;
  if (!known[steps][stored]) {
    long best = -1;
    for (long k = 1; k < steps; k++) {
      long total = k + fewest(k, stored) + fewest(steps - k, stored - 1);
      best = best < 0 || total < best ? total : best;
    }
    known[steps][stored] = best;
  }
  return known[steps][stored];
}

#define COMPARE(n)                                                                                                     \
  for (long steps = 0; steps <= MOST_STEPS; steps++) {                                                                 \
    double a[N] = {0.3, 0.5, -0.2}, b[N] = {0.3, 0.5, -0.2}, da[N] = {0}, db[N] = {0};                                 \
    struct parameters pa = {0, 0}, pb = {0, 0};                                                                        \
    GRADIENT(plain, a, da, pa, steps);                                                                                 \
    counted = 0;                                                                                                       \
    GRADIENT(loop_##n, b, db, pb, steps);                                                                              \
    for (int i = 0; i < N; i++) {                                                                                      \
      same("state", i, b[i], a[i], 0);                                                                                 \
      same("gradient", i, db[i], da[i], 1e-14);                                                                        \
    }                                                                                                                  \
    same("rate", (int)steps, pb.rate, pa.rate, 1e-14);                                                                 \
    same("drift", (int)steps, pb.drift, pa.drift, 1e-14);                                                              \
    /* the gradient of each step runs it too, and so does the primal sweep with the last */                            \
    same("steps run", (int)steps, counted, fewest(steps, n) + steps + (steps > 0), 0);                                 \
  }

/* what the loop leaves is overwritten, which is what the caller sees */
static double overwritten(double *x) {
  struct parameters p = {0.7, 0.1};
  with_3(x, N * sizeof *x, &p, 9);
  double y = x[0] * x[1];
  x[0] = y;
  x[1] *= x[0];
  return y + x[1];
}

static double twice(double *x) {
  double u[N] = {x[0], x[1], x[2]};
  struct parameters p = {x[3], x[4]};
  with_2(u, sizeof u, &p, 7);
  u[1] *= x[0];
  p.rate *= 0.5;
  with_3(u, sizeof u, &p, 12);
  return u[0] * u[1] + u[2];
}

int main(void) {
  COMPARE(1)
  COMPARE(2)
  COMPARE(3)
  COMPARE(10)
  CHECK(overwritten, 0.3, 0.5, -0.2);
  CHECK(twice, 0.3, 0.5, -0.2, 0.07, 0.01);
  return failures;
}
