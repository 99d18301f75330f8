/* An integrator of a library's kind: callbacks with user data, workspaces inside opaque structs, error codes. */
#include "../check.h"

typedef int derivative(double t, const double *y, double *dy, void *user);
struct integrator {
  derivative *f;
  void *user;
  int n;
  double *work[3];
};

NOINLINE static struct integrator *make(int n, derivative *f, void *user) {
  struct integrator *s = malloc(sizeof *s);
  s->f = f, s->user = user, s->n = n;
  for (int i = 0; i < 3; i++)
    s->work[i] = calloc((size_t)n, sizeof(double));
  return s;
}

NOINLINE static int advance(struct integrator *s, double *t, double h, double *y) {
  double *k1 = s->work[0], *k2 = s->work[1], *middle = s->work[2];
  int status = s->f(*t, y, k1, s->user);
  if (status)
    return status;
  for (int i = 0; i < s->n; i++)
    middle[i] = y[i] + h / 2 * k1[i];
  if ((status = s->f(*t + h / 2, middle, k2, s->user)))
    return status;
  for (int i = 0; i < s->n; i++)
    y[i] += h * k2[i];
  *t += h;
  return 0;
}

static void release(struct integrator *s) {
  for (int i = 0; i < 3; i++)
    free(s->work[i]);
  free(s);
}

struct parameters {
  double damping, force;
  int calls;
};

static int oscillator(double t, const double *y, double *dy, void *user) {
  struct parameters *p = user;
  p->calls++;
  dy[0] = y[1];
  dy[1] = -y[0] - p->damping * y[1] + p->force * sin(t);
  return p->calls > 1000;
}

static double run(double *x) {
  struct parameters p = {x[0], x[1], 0};
  struct integrator *s = make(2, oscillator, &p);
  double y[2] = {x[2], 0}, t = 0;
  while (t < 1 && !advance(s, &t, 0.1, y))
    ;
  release(s);
  return y[0] * y[1] + p.calls * y[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
