/* A gradient and a forward derivative written in Fortran, registered in C. */
#include "../../check.h"

extern void cube(void), augmented_cube(void), gradient_of_cube(void), derivative_of_cube(void);
extern double f(double *), here(double *);
void *__enzyme_register_gradient_cube[] = {cube, augmented_cube, gradient_of_cube};
void *__enzyme_register_derivative_cube[] = {cube, derivative_of_cube};

int main(void) {
  double x[] = {2, 3, 5}, dx[3] = {0}, of_here[3] = {0}, direction[] = {0, 1, 0};
  __enzyme_autodiff((void *)f, x, dx);
  SAME(dx[0], 2 * 1200 + 160);
  SAME(dx[1], 2 * 2700);
  SAME(dx[2], 2 * 7500);
  SAME(__enzyme_fwddiff((void *)f, x, direction), 2 * 2700);
  __enzyme_autodiff((void *)here, x, of_here);
  for (int i = 0; i < 3; i++) SAME(of_here[i], dx[i]);
  SAME(__enzyme_fwddiff((void *)here, x, direction), 2 * 2700);
  return failures;
}
