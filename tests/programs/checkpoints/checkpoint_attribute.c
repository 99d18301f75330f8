/* The attribute enzyme("checkpoint", N) of step functions: the gradient is that of the plain loop, to rounding, for
 * states behind pointers of all kinds, numbers by value, parameters that change afterwards, and nested loops. */
#include <enzyme/enzyme.h>
static double momentum[2];
#include "../check.h"

enum { N = 3 };
struct parameters {
  double rate, *drift;
};

#define STEP                                                                                                           \
  double first = u[0];                                                                                                 \
  for (int i = 0; i < n; i++)                                                                                          \
    u[i] = u[i] + dt * p->rate * sin(i + 1 < n ? u[i + 1] : first) * u[i] + *p->drift * (t % 3);
__attribute__((enzyme("checkpoint", 1)))
static void step1(double *u, int n, const struct parameters *p, double dt, long t) {
  STEP
}
__attribute__((enzyme("checkpoint", 3)))
static void step3(double *u, int n, const struct parameters *p, double dt, long t) {
  STEP
}
__attribute__((enzyme("checkpoint", 10)))
static void step10(double *u, int n, const struct parameters *p, double dt, long t) {
  STEP
}
static void plain_step(double *u, int n, const struct parameters *p, double dt, long t) { STEP }

static long steps;
#define LOOP(name, step)                                                                                               \
  static double name(double *x) { /* 3 numbers of state, rate, drift, dt */                                            \
    long last = steps;  \
    double *u = malloc(N * sizeof *u), drift = x[4];                                                                   \
    memcpy(u, x, N * sizeof *u);                                                                                       \
    struct parameters p = {x[3], &drift};                                                                              \
    for (long t = 0; t < last; t++)                                                                                   \
      step(u, N, &p, x[5], t);                                                                                         \
    drift = 100; /* the parameters change after the loop, and so does the state */                                     \
    p.rate = u[0] * u[1] + u[2] + u[2] * drift;                                                                        \
    u[1] = p.rate * p.rate;                                                                                            \
    x[0] = u[0];                                                                                                       \
    double result = u[1] + u[0];                                                                                       \
    free(u);                                                                                                           \
    return result;                                                                                                     \
  }
LOOP(plain, plain_step)
LOOP(loop1, step1)
LOOP(loop3, step3)
LOOP(loop10, step10)

#define COMPARE(f)                                                                                                     \
  for (steps = 0; steps < 40; steps += steps < 8 ? 1 : 5) {                                                            \
    double a[6] = {0.3, 0.5, -0.2, 0.7, 0.1, 0.05}, b[6], da[6] = {0}, db[6] = {0};                                    \
    memcpy(b, a, sizeof a);                                                                                            \
    __enzyme_autodiff((void *)plain, a, da);                                                                           \
    __enzyme_autodiff((void *)f, b, db);                                                                               \
    for (int i = 0; i < 6; i++) {                                                                                      \
      same("what is left", i, b[i], a[i], 0);                                                                          \
      same("gradient", i, db[i], da[i], 1e-13);                                                                        \
    }                                                                                                                  \
  }

/* state in a global, in a structure that points to its parts, and on the stack; memory of the step's own */
struct body {
  double mass;
  int steps;
  double *position;
  struct body *next;
};
static NOINLINE void move(struct body *b, double *scratch) {
  for (; b; b = b->next) {
    double *old = malloc(2 * sizeof *old);
    memcpy(old, b->position, 2 * sizeof *old);
    for (int k = 0; k < 2; k++) {
      momentum[k] += 0.01 * sin(old[1 - k]) * b->mass;
      b->position[k] += 0.1 * momentum[k];
    }
    *scratch += old[0];
    free(old);
  }
}
__attribute__((enzyme("checkpoint", 2))) static void advance(struct body *bodies) {
  double sum = 0;
  move(bodies, &sum);
  bodies->mass = bodies->mass + 0.01 * sum / ++bodies->steps;
}
static double bodies(double *x) {
  double y[2] = {x[2], x[3]};
  struct body second = {1, 0, y, NULL}, first = {x[4], 0, x, &second};
  momentum[0] = x[5], momentum[1] = 0.1;
  for (int t = 20; t > 3; t -= 2)
    advance(&first);
  return x[0] * y[1] + x[1] * y[0] + first.mass + momentum[1];
}

/* a loop of loops, in which the parameters change from one to the next */
__attribute__((enzyme("checkpoint", 2))) static void relax(double *u, double w) {
  u[0] = u[0] + 0.1 * w * sin(u[1]);
  u[1] = u[1] * cos(0.1 * u[0]);
}
__attribute__((enzyme("checkpoint", 3))) static void sweep(double *u, double *weights, int k) {
  for (int i = 0; i < 6; i++)
    relax(u, weights[k % 2]);
  weights[k % 2] *= u[1];
}
static double nested(double *x) {
  for (int k = 0; k < 8; k++)
    sweep(x, x + 2, k);
  return x[0] * x[3] + x[1];
}
static double changing(double *x) {
  double w = x[2];
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 5; i++)
      relax(x, w * k);
    w += x[0];
  }
  return x[0] + x[1] * w;
}

/* numbers that the loop hands on in registers, or to the code behind it; steps that are not always made */
static double carried(double *x) {
  double cost = x[2], last = 0, factor = 1;
  int made = 0;
  for (int t = 0; t < 11; t++) {
    if (t % 4 != 1) {
      relax(x, factor);
      made++;
    }
    last = x[0] * x[1];
    cost += last * factor + t;
    factor = factor * cos(x[1]) + 0.1 * t;
  }
  return cost + last * factor * made + x[0];
}

/* constant memory */
static const double table[4] = {0.5, 1.5, -1, 2};
__attribute__((enzyme("checkpoint", 2))) static void mix(double *u, const double *factors, const double *given) {
  for (int k = 0; k < 4; k++)
    u[k % 2] += 0.1 * factors[k] * u[1 - k % 2] * given[k];
}
static double with_constants(double *u, const double *given) {
  for (int t = 0; t < 9; t++)
    mix(u, table, given);
  return u[0] * u[1];
}
static double with_constants_plain(double *u) {
  double given[4] = {1, 2, 3, 4};
  for (int t = 0; t < 9; t++)
    mix(u, table, given);
  return u[0] * u[1];
}

int main(void) {
  COMPARE(loop1)
  COMPARE(loop3)
  COMPARE(loop10)
  steps = 7;
  CHECK(loop3, 0.3, 0.5, -0.2, 0.7, 0.1, 0.05);
  CHECK(nested, 0.3, 0.5, 0.7, 0.9);
  CHECK(changing, 0.3, 0.5, 0.7);
  CHECK(carried, 0.3, 0.5, 0.7);
  CHECK(with_constants_plain, 0.3, 0.5);
  double u[2] = {0.3, 0.5}, v[2] = {0.3, 0.5}, du[2] = {0}, dv[2] = {0}, given[4] = {1, 2, 3, 4};
  __enzyme_autodiff((void *)with_constants, u, du, enzyme_const, given);
  __enzyme_autodiff((void *)with_constants_plain, v, dv);
  SAME(du[0], dv[0]);
  SAME(du[1], dv[1]);
  CHECK(bodies, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
  return failures;
}
