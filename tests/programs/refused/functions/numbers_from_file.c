/* EZ0304: numbers are read from a file over memory that carries derivatives. */
#include "../../check.h"

static double run(double *x) {
  double a[2] = {x[0] * x[1], x[1]};
  FILE *f = fopen("/dev/null", "rb");
  size_t n = fread(a, sizeof *a, 1, f);
  fclose(f);
  return a[0] * a[1] + (double)n;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
