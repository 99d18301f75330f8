/* EZ0208: the function has overwritten its input when __enzyme_fwdsplit would evaluate it again. */
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
static void square(double *x) { *x *= *x; }
static double f(double *x) {
  square(x);
  return *x;
}
int main(void) {
  double x = 3, dx = 1;
  void *tape = __enzyme_augmentfwd((void *)f, &x, &dx);
  return __enzyme_fwdsplit((void *)f, &x, &dx, tape) != 6;
}
