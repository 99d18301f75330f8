/* Volumes of Voronoi cells by the places of two of six points in a box. */
#include "check.h"
#include <voro++.hh>

static double cells(double *x) {
  voro::container box(-1, 1, -1, 1, -1, 1, 2, 2, 2, false, false, false, 8);
  box.put(0, x[0], x[1], x[2]);
  box.put(1, x[3], x[4], x[5]);
  box.put(2, 0.6, 0.5, 0.4);
  box.put(3, -0.5, 0.6, -0.3);
  box.put(4, 0.4, -0.6, 0.5);
  box.put(5, -0.6, -0.4, -0.5);
  double sum = 0;
  voro::c_loop_all at(box);
  voro::voronoicell cell;
  if (at.start())
    do
      if (box.compute_cell(cell, at))
        sum += (1 + at.pid()) * cell.volume();
    while (at.inc());
  return sum;
}

int main() {
  CHECK(cells, 0.11, 0.07, -0.13, -0.2, -0.15, 0.3);
  return failures;
}
