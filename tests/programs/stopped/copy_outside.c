/* expect: a number that carries a derivative is stored in memory without a shadow
 * As store_outside.c, by memcpy, and in forward mode. */
#include "../check.h"

static double *work;
static double f(double *x) {
  memcpy(work, x, 16 * sizeof *x);
  double s = 0;
  for (int i = 0; i < 16; i++)
    s += work[i] * work[15 - i];
  return s;
}

int main(int argc, char **argv) {
  double x[16] = {0.5, 0.7}, dx[16] = {1}, table[16] = {0};
  work = argc && argv ? table : NULL;
  __enzyme_fwddiff((void *)f, x, dx);
  return 0;
}
