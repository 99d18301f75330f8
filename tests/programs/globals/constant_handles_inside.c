/* A registered derivative asks for a derivative itself, while numbers lie in a constant handle: they keep theirs. */
#include "../check.h"

struct handle {
  double x, y;
};

static NOINLINE double square(double x) { return x * x; }

NOINLINE double cube(double x) { return x * x * x; }
double augmented_cube(double x) { return cube(x); }
double reverse_cube(double x, double seed) { return 1.5 * x * seed * __enzyme_autodiff((void *)square, enzyme_out, x); }
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented_cube, (void *)reverse_cube};

static NOINLINE double f(struct handle *h, double x) {
  h->x = x * x;
  double v = cube(x);
  h->y = h->x * v;
  return h->y + h->x;
}

int main(void) {
  struct handle h = {1, 2};
  double x = 1.3;
  for (int k = 0; k < 2; k++)
    SAME(__enzyme_autodiff((void *)f, enzyme_const, &h, enzyme_out, x), 5 * x * x * x * x + 2 * x);
  return failures;
}
