/* Structs of numbers, pointers and integers move to the front of an array: memmove's source overlaps its target. */
#include "../check.h"
struct event { double time; double *where; };
struct odd { double a; int n; float f; double b; };

static double removed(double *x) {
  double sums[2] = {0};
  struct event events[4];
  for (int i = 0; i < 4; i++)
    events[i] = (struct event){x[0] * x[0] * (i + 1), &sums[i % 2]};
  memmove(events, events + 1, 3 * sizeof *events);
  for (int i = 0; i < 4; i++)
    *events[i].where += events[i].time * (i + 1);
  return sums[0] + 2 * sums[1] * sums[0];
}
static double odds(double *x) {
  struct odd o[4];
  o[0] = (struct odd){x[0], 1, 0, x[0] * x[0]};
  o[1] = (struct odd){sin(x[0]), 2, 0, x[0] * 2};
  o[2] = (struct odd){cos(x[0]), 3, 0, x[0] * 3};
  o[3] = (struct odd){exp(x[0]), 4, 0, x[0] * 4};
  memmove(o, o + 1, 3 * sizeof *o);
  return o[0].a * o[1].b * o[0].n + o[1].a * o[2].b * 3 + o[2].a * o[0].b + o[3].a * o[3].b;
}
static double several(double *x) {
  struct { double a; double *p; double b; float *q; double c; } s[3];
  double u = x[0], v = x[0] * x[0];
  float w = x[0];
  for (int i = 0; i < 3; i++) {
    s[i].a = x[0] * (i + 1), s[i].b = u * v * i, s[i].c = x[0] + i;
    s[i].p = i & 1 ? &u : &v;
    s[i].q = &w;
  }
  memmove(&s[0], &s[1], 2 * sizeof *s);
  double r = 0;
  for (int i = 0; i < 3; i++)
    r += s[i].a * *s[i].p * (i + 1) + s[i].b * s[i].c;
  return r;
}
int main(void) {
  CHECK(removed, 0.7);
  CHECK(odds, 0.7);
  CHECK(several, 0.7);
  return failures;
}
