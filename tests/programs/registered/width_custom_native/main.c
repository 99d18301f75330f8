/* Native derivatives of a native function of numbers, in several directions; a hundred times too large. */
#include "../../check.h"
#include "shared.h"

extern int enzyme_width;
typedef struct {
  double a, b;
} two;
extern two __enzyme_autodiff_two(void *, ...), __enzyme_fwddiff_two(void *, ...);
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmented, (void *)reverse};
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)derivative};

static double f(double x) { return 2 * cube(x); }

int main(void) {
  two d = __enzyme_autodiff_two((void *)f, enzyme_width, 2, 3.0);
  SAME(d.a, 5400);
  SAME(d.b, 5400);
  d = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, 3.0, 1.0, 10.0);
  SAME(d.a, 5400);
  SAME(d.b, 54000);
  return failures;
}
