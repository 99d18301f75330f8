#include "gaussian_process.h"

#include <math.h>
#include <string.h>

enum { MOST = 16, KEPT = 8, STEPS = 200 };

typedef struct {
  double step[KEPT][MOST], change[KEPT][MOST]; /* of the parameters, and of the gradient */
  int count;
} history;

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void add(int n, double *a, double f, const double *b) {
  for (int i = 0; i < n; i++)
    a[i] += f * b[i];
}

/* The direction: minus the approximate inverse Hessian times the gradient (algorithm 7.4). */
static void direction(int n, const history *h, const double *gradient, double *d) {
  double weight[KEPT];
  int oldest = h->count < KEPT ? 0 : h->count - KEPT;
  for (int i = 0; i < n; i++)
    d[i] = -gradient[i];
  for (int k = h->count - 1; k >= oldest; k--) {
    const double *s = h->step[k % KEPT], *y = h->change[k % KEPT];
    weight[k % KEPT] = dot(n, s, d) / dot(n, s, y);
    add(n, d, -weight[k % KEPT], y);
  }
  if (h->count > 0) {
    const double *s = h->step[(h->count - 1) % KEPT], *y = h->change[(h->count - 1) % KEPT];
    double factor = dot(n, s, y) / dot(n, y, y);
    for (int i = 0; i < n; i++)
      d[i] *= factor;
  }
  for (int k = oldest; k < h->count; k++) {
    const double *s = h->step[k % KEPT], *y = h->change[k % KEPT];
    add(n, d, weight[k % KEPT] - dot(n, y, d) / dot(n, s, y), s);
  }
}

/* Keeps a step if the curvature along it is positive. */
static void keep(int n, history *h, const double *step, const double *change) {
  if (!(dot(n, step, change) > 1e-12 * dot(n, change, change)))
    return;
  memcpy(h->step[h->count % KEPT], step, n * sizeof *step);
  memcpy(h->change[h->count % KEPT], change, n * sizeof *change);
  h->count++;
}

int minimise(objective *f, void *context, int n, double *p, double tolerance) {
  history h = {.count = 0};
  double g[MOST], d[MOST], next[MOST], next_g[MOST], value = f(p, g, context), step[MOST], change[MOST];
  int done = 0;
  for (; done < STEPS && sqrt(dot(n, g, g)) > tolerance; done++) {
    direction(n, &h, g, d);
    double slope = dot(n, g, d), size = sqrt(dot(n, d, d)), length = size > 1 ? 1 / size : 1, new;
    do {
      memcpy(next, p, n * sizeof *p);
      add(n, next, length, d);
      new = f(next, next_g, context);
      length /= 2;
    } while (!(new <= value + 1e-4 * 2 * length * slope) && length > 1e-12);
    for (int i = 0; i < n; i++)
      step[i] = next[i] - p[i], change[i] = next_g[i] - g[i];
    keep(n, &h, step, change);
    memcpy(p, next, n * sizeof *p), memcpy(g, next_g, n * sizeof *g);
    value = new;
  }
  return done;
}
