/* Callbacks in structs that functions make, copy and return; with a closure. */
#include "../check.h"

struct closure { double (*call)(const struct closure *, double); double a; const double *more; };
struct solver { struct closure f; struct { double (*norm)(double); } *methods; int steps; };

static double linear(const struct closure *c, double v) { return c->a * v + c->more[0]; }
static double curved(const struct closure *c, double v) { return c->a * sin(v) * c->more[1]; }
static double square(double v) { return v * v; }
static double root(double v) { return sqrt(1 + v * v); }

NOINLINE static struct closure make(int kind, double a, const double *more) {
  return (struct closure){kind ? curved : linear, a, more};
}

NOINLINE static double solve(const struct solver *s, double v) {
  for (int i = 0; i < s->steps; i++)
    v = s->methods->norm(s->f.call(&s->f, v));
  return v;
}

static double run(double *x) {
  double r = 0;
  for (int kind = 0; kind < 2; kind++) {
    struct solver s = {.f = make(kind, x[0] * x[1], x + 1), .steps = 2 + kind};
    s.methods = malloc(sizeof *s.methods);
    s.methods->norm = kind ? root : square;
    struct solver copy = s;
    r += solve(&copy, x[2]) * (kind + 1);
    free(s.methods);
  }
  return r;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
