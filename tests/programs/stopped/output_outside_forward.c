/* expect: output_outside_forward.c:9:3: a number that carries a derivative is stored in memory without a shadow
 * What a library function stores, in forward mode. */
#define _GNU_SOURCE
#include "../check.h"

static double *cosine;
static double f(double *x) {
  double sine;
  sincos(x[0], &sine, cosine);
  return sine * *cosine;
}

int main(int argc, char **argv) {
  double x[] = {0.5}, dx[] = {1}, place = 0;
  cosine = argv ? &place : NULL;
  return __enzyme_fwddiff((void *)f, x, dx) == argc;
}
