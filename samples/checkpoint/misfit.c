#include "heat.h"

ENZYME_CHECKPOINTED(simulate, heat_step, struct rod, const struct material, 20)

static double distance(const struct rod *rod, const struct rod *wanted) {
  double sum = 0;
  for (int i = 0; i < CELLS; i++)
    sum += (rod->u[i] - wanted->u[i]) * (rod->u[i] - wanted->u[i]);
  return sum;
}

double misfit_plain(struct rod *rod, const struct material *m, const struct rod *wanted, long steps) {
  for (long t = 0; t < steps; t++)
    heat_step(rod, m, t);
  return distance(rod, wanted);
}

__attribute__((enzyme("checkpoint", 20))) static void marked_step(struct rod *rod, const struct material *m, long t) {
  heat_step(rod, m, t);
}

double misfit_marked(struct rod *rod, const struct material *m, const struct rod *wanted, long steps) {
  for (long t = 0; t < steps; t++)
    marked_step(rod, m, t);
  return distance(rod, wanted);
}

double misfit_checkpointed(struct rod *rod, const struct material *m, const struct rod *wanted, long steps) {
  simulate(rod, sizeof *rod, m, steps);
  return distance(rod, wanted);
}
