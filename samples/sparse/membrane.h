/* An elastic membrane over a square: a mesh of springs, loaded from above, and fixed at its edge. */
#ifndef MEMBRANE_H
#define MEMBRANE_H

/* The energy of the heights of side * side points. */
double energy(const double *height, int side);

#endif
