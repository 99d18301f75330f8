/* Checkpointed steps that call through function pointers, as solvers do, and let memory grow; of functions that cannot be
   watched none is called. */
#include <enzyme/enzyme.h>
#include "../check.h"

typedef void rhs(double t, const double *u, double *du, const void *parameters);
struct system {
  rhs *f;
  int n;
  const void *parameters;
};
static void pendulum(double t, const double *u, double *du, const void *parameters) {
  const double *length = parameters;
  du[0] = u[1];
  du[1] = -sin(u[0]) / *length + 0.1 * cos(t);
}
static void decay(double t, const double *u, double *du, const void *parameters) {
  du[0] = -u[0] * u[1];
  du[1] = -u[1] * *(const double *)parameters;
}
static int exponent;
static void never_called(double t, const double *u, double *du, const void *parameters) { du[0] = frexp(t, &exponent); }
static rhs *const others[] = {never_called, decay};

static double (*wave)(double) = sin;
__attribute__((enzyme("checkpoint", 3))) static void euler(const struct system *s, double *u, double t, double dt) {
  double *du = NULL;
  for (int k = 1; k <= s->n; k++)
    du = realloc(du, k * sizeof *du);
  s->f(t, u, du, s->parameters);
  for (int k = 0; k < s->n; k++)
    u[k] += dt * du[k] + 0.01 * wave(u[k]);
  free(du);
}

static double solve(double *x) {
  struct system s = {pendulum, 2, x + 2}, second = {others[x[0] < 100], 2, x + 2};
  for (int k = 0; k < 12; k++)
    euler(&s, x, 0.1 * k, 0.1);
  for (int k = 0; k < 5; k++)
    euler(&second, x, 0.1 * k, x[2]);
  return x[0] * x[1];
}

int main(void) {
  CHECK(solve, 0.3, 0.5, 0.7);
  return failures;
}
