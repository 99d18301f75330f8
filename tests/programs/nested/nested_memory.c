/* Derivatives of gradients whose primal moves, copies and frees memory, calls itself, and calls through pointers. */
#include "../check.h"

enum { N = 3 };
extern void __enzyme_fwddiff_void(void *, ...);

struct node {
  double value;
  float weight;
  int n;
  struct node *next;
};

static double twice(double v) { return v * v; }
static double wave(double v) { return cos(v); }
static double (*const table[])(double) = {twice, wave};

NOINLINE static double total(const struct node *n) { return n ? n->value * n->weight + 0.5 * total(n->next) : 0; }

static double f(double *x) {
  struct node *list = NULL, copy[2];
  double *v = NULL, t = x[0], s = 0;
  int n = 0, room = 0;
  while (t < 9) {
    if (n == room)
      v = realloc(v, (room = room ? 2 * room : 1) * sizeof *v);
    v[n++] = t;
    t = t * x[1] + v[n / 2] * x[2];
  }
  for (int i = 0; i < n; i++) {
    struct node *made = malloc(sizeof *made);
    *made = (struct node){table[i & 1](v[i]), (float)(1 + i), i, list};
    list = made;
  }
  copy[0] = *list, copy[1] = *list->next;
  memmove(v, v + 1, (n - 1) * sizeof *v);
  copy[0].value *= v[0];
  s = total(&copy[0]) * copy[1].value;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  free(v);
  return s;
}

static void gradient(double *x, double *g) {
  memset(g, 0, N * sizeof *g);
  __enzyme_autodiff((void *)f, x, g);
}
static double weighed(double *x, double *w) {
  double g[N], s = 0;
  gradient(x, g);
  for (int i = 0; i < N; i++)
    s += g[i] * w[i];
  return s;
}

static double directional(double *x, double *d) { return __enzyme_fwddiff((void *)f, x, d); }

static const double at[N] = {0.5, 1.2, 0.7}, v[N] = {0.3, -0.2, 0.9};

static double along(double h) {
  double x[N], w[N];
  for (int i = 0; i < N; i++)
    x[i] = at[i] + h * v[i], w[i] = v[i];
  return weighed(x, w);
}

int main(void) {
  double x[N], dx[N], g[N], dg[N], w[N], want = difference(along, 0), by_forward = 0, by_reverse = 0;
  memcpy(x, at, sizeof x), memcpy(dx, v, sizeof v);
  __enzyme_fwddiff_void((void *)gradient, x, dx, g, dg);
  for (int i = 0; i < N; i++)
    by_forward += dg[i] * v[i];
  SAME(by_forward, want);
  memset(dx, 0, sizeof dx), memcpy(w, v, sizeof v);
  __enzyme_autodiff((void *)weighed, x, dx, enzyme_const, w);
  for (int i = 0; i < N; i++)
    by_reverse += dx[i] * v[i], same("reverse over reverse", i, dx[i], dg[i], 1e-12);
  SAME(by_reverse, want);
  memset(dx, 0, sizeof dx), memcpy(w, v, sizeof v);
  __enzyme_autodiff((void *)directional, x, dx, enzyme_const, w);
  for (int i = 0; i < N; i++)
    same("reverse over forward", i, dx[i], dg[i], 1e-12);
  memcpy(dx, v, sizeof dx), memcpy(w, v, sizeof v);
  SAME(__enzyme_fwddiff((void *)directional, x, dx, enzyme_const, w), want);
  return failures;
}
