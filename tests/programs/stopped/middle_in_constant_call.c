/* expect: points at memory that carries a derivative under another name
 * No derivative goes into the call of `sum`: its handle is a constant, and leads to the middle of f's argument. */
#include "../check.h"

struct view {
  struct view *inner;
  double *middle;
};

NOINLINE static double sum(const struct view *view, int n) {
  double total = 0;
  for (int k = 0; k < n; k++)
    total += view->inner->inner->middle[k];
  return total;
}
static double f(const struct view *view, double *x, int n) { return sum(view, n) * x[0]; }

int main(int argc, char **argv) {
  (void)argv;
  double *x = calloc(5, sizeof *x), dx[5] = {0};
  struct view last = {NULL, x + 2}, inner = {&last, NULL}, view = {&inner, NULL};
  __enzyme_autodiff((void *)f, enzyme_const, &view, x, dx, argc + 2);
  return 0;
}
