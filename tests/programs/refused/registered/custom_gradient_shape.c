/* EZ0207: the augmented function lacks the shadow; both prototypes are shown. */
extern double __enzyme_autodiff(void *, ...);
static double f(const double *x) { return *x; }
static double augment(const double *x) { return *x; }
static void reverse(const double *x, double *dx, double d) { *dx += d; }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augment, (void *)reverse};
int main(void) {
  double x = 1, dx = 0;
  __enzyme_autodiff((void *)f, &x, &dx);
  return dx != 1;
}
