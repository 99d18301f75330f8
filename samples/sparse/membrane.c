#include "membrane.h"

#include <math.h>

static double height_at(const double *height, int side, int row, int column) {
  int is_inside = row >= 0 && row < side && column >= 0 && column < side;
  return is_inside ? height[row * side + column] : 0;
}

/* The area of a strip of the membrane grows with its slope. */
static double stretched(double rise) { return sqrt(1 + rise * rise) - 1; }

double energy(const double *height, int side) {
  double sum = 0, width = 1.0 / (side + 1);
  for (int row = -1; row < side; row++)
    for (int column = -1; column < side; column++) {
      double here = height_at(height, side, row, column);
      sum += stretched((height_at(height, side, row + 1, column) - here) / width) * width * width;
      sum += stretched((height_at(height, side, row, column + 1) - here) / width) * width * width;
      sum += 0.5 * here * width * width; /* the load */
    }
  return sum;
}
