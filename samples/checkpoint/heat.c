#include "heat.h"

void heat_step(struct rod *rod, const struct material *m, long t) {
  const double dt = 0.1;
  double *u = rod->u, left = u[0];
  (void)t;
  for (int i = 1; i + 1 < CELLS; i++) {
    double here = u[i];
    double in = m->conductivity * (1 + m->growth * 0.5 * (left + here)) * (left - here);
    double out = m->conductivity * (1 + m->growth * 0.5 * (here + u[i + 1])) * (here - u[i + 1]);
    u[i] = here + dt * (in - out);
    left = here;
  }
}
