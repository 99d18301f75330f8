// EZ0212: flang has inlined what has a derivative of its own
// expect: reason: the bitcode in cube.o was written after inlining
// expect: error: the program declares something about cube, but this call of it has been inlined
extern double __enzyme_fwddiff(void *, ...);
extern void cube(double *, double *), derivative_of_cube(double *, double *, double *, double *);
extern double f(double *);
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)derivative_of_cube};

void derivative_of_cube(double *x, double *dx, double *y, double *dy) {
  cube(x, y);
  *dy = 3 * *x * *x * *dx;
}

int main(void) {
  double x = 2, dx = 1;
  return __enzyme_fwddiff((void *)f, &x, &dx) != 12;
}
