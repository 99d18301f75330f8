/* A number that carries a derivative is stored in a constant handle and read again, in a gradient that is differentiated. */
/* expect: is stored in memory without a shadow */
#include "../check.h"

struct handle {
  double sum;
};

static void add(struct handle *h, double x, int n) {
  if (n > 1)
    add(h, x, n / 2), add(h, sin(x), n - n / 2);
  else
    h->sum += x * x;
}
static double f(struct handle *h, double x, int n) {
  h->sum = 0;
  add(h, x, n);
  return h->sum * x;
}
static double slope(struct handle *h, double x, int n) {
  return __enzyme_autodiff((void *)f, enzyme_const, h, enzyme_out, x, n);
}

int main(int argc, char **argv) {
  struct handle *h = calloc(1, sizeof *h);
  printf("%g\n", __enzyme_fwddiff((void *)slope, enzyme_const, h, enzyme_dup, 0.8, 1.0, argc + 6));
  return argv == NULL;
}
