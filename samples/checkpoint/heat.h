/* Heat in a rod whose conductivity grows with its temperature, by explicit steps in time. */
#ifndef HEAT_H
#define HEAT_H
#include <enzyme/checkpoint.h>

enum { CELLS = 100 };

struct rod {
  double u[CELLS]; /* temperature */
};
struct material {
  double conductivity, growth; /* k(u) = conductivity (1 + growth u) */
};

void heat_step(struct rod *rod, const struct material *m, long t);

/* How far the rod is from `wanted` after so many steps: sum of squares. */
double misfit_plain(struct rod *rod, const struct material *m, const struct rod *wanted, long steps);
double misfit_marked(struct rod *rod, const struct material *m, const struct rod *wanted, long steps);
double misfit_checkpointed(struct rod *rod, const struct material *m, const struct rod *wanted, long steps);
#endif
