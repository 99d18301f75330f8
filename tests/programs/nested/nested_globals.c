/* Globals in functions that are differentiated twice: each round of differentiation has shadows of its own. */
double state_shadow[2], state_round1_shadow[2];
#include "../check.h"

enum { N = 2 };
extern void __enzyme_fwddiff_void(void *, ...);
static double state[2];

NOINLINE static void step(double w) {
  for (int i = 0; i < 2; i++)
    state[i] = state[i] * state[1 - i] + w;
}

static double f(double *x) {
  state[0] = x[0] * x[1], state[1] = sin(x[1]);
  step(x[0]);
  step(state[1]);
  return state[0] * state[1];
}

static void clear(void) { memset(state_shadow, 0, sizeof state_shadow); }
static void gradient(double *x, double *g) {
  memset(g, 0, N * sizeof *g);
  clear();
  __enzyme_autodiff((void *)f, x, g);
}
static double along(double *x, double *v) {
  clear();
  return __enzyme_fwddiff((void *)f, x, v);
}
static double weighed(double *x, double *w) {
  double g[N];
  gradient(x, g);
  return g[0] * w[0] + g[1] * w[1];
}

static const double at[N] = {0.5, 1.2}, v[N] = {0.3, -0.2};
static double moved(double h) {
  double x[N] = {at[0] + h * v[0], at[1] + h * v[1]}, w[N] = {v[0], v[1]};
  return along(x, w);
}

/* no round leaves anything for the next test */
static void clear_all(void) {
  clear();
  memset(state_round1_shadow, 0, sizeof state_round1_shadow);
}

int main(void) {
  double want = difference(moved, 0), x[N] = {at[0], at[1]}, dx[N] = {v[0], v[1]}, w[N] = {v[0], v[1]}, g[N], dg[N];
  clear_all();
  __enzyme_fwddiff_void((void *)gradient, x, dx, g, dg);
  same("forward over reverse", 0, dg[0] * v[0] + dg[1] * v[1], want, 1e-7);
  clear_all();
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)along, x, dx, enzyme_const, w);
  same("reverse over forward", 0, dx[0] * v[0] + dx[1] * v[1], want, 1e-7);
  clear_all();
  memcpy(dx, v, sizeof dx), memcpy(w, v, sizeof w);
  same("forward over forward", 0, __enzyme_fwddiff((void *)along, x, dx, enzyme_const, w), want, 1e-7);
  clear_all();
  memset(dx, 0, sizeof dx), memcpy(w, v, sizeof w);
  __enzyme_autodiff((void *)weighed, x, dx, enzyme_const, w);
  same("reverse over reverse", 0, dx[0] * v[0] + dx[1] * v[1], want, 1e-7);
  return failures;
}
