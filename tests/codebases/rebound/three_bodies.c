/* Three bodies, by the leapfrog and the 15th-order integrator: where they get, by where they begin and by a mass. */
#define TOLERANCE 1e-5
#include "check.h"
#include <rebound.h>

static struct reb_simulation *before;

static struct reb_simulation *make(void) {
  struct reb_simulation *s = reb_simulation_create();
  for (int k = 0; k < 3; k++)
    reb_simulation_add(s, (struct reb_particle){.m = 1});
  return s;
}

static void begin(struct reb_simulation *s, const double *x) {
  for (int k = 0; k < 3; k++) {
    struct reb_particle *p = &s->particles[k];
    p->m = k ? 1e-3 * k : 1;
    p->x = k, p->y = p->z = 0;
    p->vy = k ? 1 / sqrt(k) : 0, p->vx = p->vz = 0;
  }
  s->particles[1].x += x[0];
  s->particles[1].vy += x[1];
  s->particles[2].m += 1e-3 * x[2];
  s->t = 0, s->dt = 0.02;
}

static double moved(struct reb_simulation *s, const double *x) {
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    begin(s, x);
    reb_simulation_set_integrator(s, k ? "ias15" : "leapfrog");
    reb_simulation_steps(s, 20);
    const struct reb_particle *p = s->particles;
    sum += p[1].x * p[2].y + p[1].vx - 100 * p[0].x;
  }
  return sum;
}

static double outside(double *x) { return moved(before, x); }

static double inside(double *x) {
  struct reb_simulation *s = make();
  double value = moved(s, x);
  reb_simulation_free(s);
  return value;
}

int main(void) {
  before = make();
  CHECK_HANDLE(inside, outside, 0.1, -0.05, 0.3);
  return failures;
}
