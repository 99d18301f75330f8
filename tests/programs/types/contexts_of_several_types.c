/* A function is called through a pointer with variables of several types: what lies in one of them at some place is a
 * number, in another one it is an integer that goes on to a third.
 * flags: -g */
#include "../check.h"

struct outcome {
  int status;
  double value;
};
struct shadow {
  int status;
  double length, width;
};
typedef double measure(const struct shadow *);
typedef struct outcome function(const void *context, double t);

struct place {
  measure *measure;
  double height;
};
static double area(const struct shadow *s) { return s->length * s->width; }
static double along(const struct shadow *s) { return s->length - s->width; }

NOINLINE static void shadow_of(struct shadow *s, double t) {
  s->status = t > 50 ? 3 : 0;
  s->length = sin(t);
  s->width = t * t;
}
static struct outcome in_shadow(const void *context, double t) {
  const struct place *p = context;
  struct shadow s;
  shadow_of(&s, t);
  if (s.status)
    return (struct outcome){s.status, NAN};
  return (struct outcome){0, p->measure(&s) - p->height};
}
static struct outcome from(const void *context, double t) {
  return (struct outcome){0, exp(t) - *(const double *)context};
}

NOINLINE static void root(struct outcome *found, function *f, const void *context, double a, double b) {
  struct outcome at_a = f(context, a);
  if (at_a.status) {
    found->value = NAN;
    found->status = at_a.status;
    return;
  }
  for (int k = 0; k < 3; k++) {
    struct outcome at_b = f(context, b);
    if (at_b.status) {
      found->value = NAN;
      found->status = at_b.status;
      return;
    }
    double t = a - at_a.value * (b - a) / (at_b.value - at_a.value);
    a = b, at_a = at_b, b = t;
  }
  found->status = 0;
  found->value = b;
}

static double roots(double *x) {
  struct place p = {x[0] > 5 ? area : along, x[0]};
  double height = x[1];
  struct outcome first, second;
  root(&first, in_shadow, &p, 0.1, 0.7);
  root(&second, from, &height, 0, 2);
  return first.status + second.status ? 100 : first.value * first.value + second.value * x[0];
}

int main(void) {
  CHECK(roots, 0.2, 3);
  return failures;
}
