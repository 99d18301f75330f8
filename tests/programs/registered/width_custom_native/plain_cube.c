#include "shared.h"
#include <stdlib.h>

double cube(double x) { return x * x * x; }
struct taped augmented(double x) {
  double *tape = malloc(sizeof *tape);
  *tape = x;
  return (struct taped){tape, cube(x)};
}
double reverse(double x, double d, void *tape) {
  double kept = *(double *)tape;
  free(tape);
  return 300 * kept * kept * d;
}
double derivative(double x, double dx) { return 300 * x * x * dx; }
