/* enzyme_runtime_activity: loops over arrays of which some are their own shadows. In a loop, the answer is always the
 * same, but not in all calls. Values leave the loops, and loops lie in loops. */
#include "../check.h"

extern int enzyme_runtime_activity;
enum { N = 40, ARRAYS = 4, WRITTEN = 9 };

struct model {
  double *x, *y, *w, *out;
  int n;
};

NOINLINE static double layer(struct model *m, const double *in) {
  double last = 0, sum = 0;
  for (int o = 0; o < 5; o++) {
    for (int i = 0; i < m->n; i++) {
      double term = m->w[i] * in[i] + m->x[(i + o) % m->n] * m->y[i];
      m->out[i] = m->out[i] * 0.5 + term;
      last = term * term;
      sum += last;
    }
    sum += last * m->out[o];
  }
  return sum + last;
}

static double model(struct model *m) {
  double s = layer(m, m->y);
  for (int i = 0; i < m->n; i++)
    m->x[i] = sin(m->out[i]) * m->w[i];
  return s + layer(m, m->x);
}

static double numbers[ARRAYS][N], work[ARRAYS][N], shadow[ARRAYS][N], direction[ARRAYS][N];

static struct model of(double (*a)[N]) { return (struct model){a[0], a[1], a[2], a[3], N}; }

static double along(double h) {
  for (int k = 0; k < ARRAYS; k++)
    for (int i = 0; i < N; i++)
      work[k][i] = numbers[k][i] + h * direction[k][i];
  struct model m = of(work);
  return model(&m);
}

int main(void) {
  for (int k = 0; k < ARRAYS; k++)
    for (int i = 0; i < N; i++)
      numbers[k][i] = 0.3 + 0.1 * sin(i * (k + 1.0));
  for (int active = 0; active < 1 << ARRAYS; active++) {
    if ((active & WRITTEN) != WRITTEN)
      continue;
    memset(shadow, 0, sizeof shadow);
    for (int k = 0; k < ARRAYS; k++)
      for (int i = 0; i < N; i++)
        direction[k][i] = active >> k & 1 ? cos(i + k) : 0;
    memcpy(work, numbers, sizeof work);
    struct model m = of(work), d = of(shadow), t = of(direction);
    double **pointers[] = {&d.x, &d.y, &d.w, &d.out}, **tangents[] = {&t.x, &t.y, &t.w, &t.out};
    double directions[ARRAYS][N];
    memcpy(directions, direction, sizeof directions);
    for (int k = 0; k < ARRAYS; k++)
      if (!(active >> k & 1))
        *pointers[k] = *tangents[k] = work[k];
    __enzyme_autodiff((void *)model, enzyme_runtime_activity, enzyme_dup, &m, &d);
    double dot = 0;
    for (int k = 0; k < ARRAYS; k++)
      for (int i = 0; i < N; i++)
        dot += shadow[k][i] * directions[k][i];
    memcpy(work, numbers, sizeof work);
    double forward = __enzyme_fwddiff((void *)model, enzyme_runtime_activity, enzyme_dup, &m, &t);
    memcpy(direction, directions, sizeof direction);
    double h = 1e-4, wide = (along(2 * h) - along(-2 * h)) / (4 * h), narrow = (along(h) - along(-h)) / (2 * h);
    same("reverse", active, dot, (4 * narrow - wide) / 3, 1e-8);
    same("forward", active, forward, dot, 1e-12);
  }
  return failures;
}
