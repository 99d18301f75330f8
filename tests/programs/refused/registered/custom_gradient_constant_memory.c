/* EZ0304: the gradient of dot wants a shadow of w, which is constant. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
double dot(const double *x, const double *w);
static double augment(const double *x, double *dx, const double *w, double *dw) { return *x * *w; }
static void reverse(const double *x, double *dx, const double *w, double *dw, double d) {
  *dx += d * *w;
  *dw += d * *x;
}
void *__enzyme_register_gradient_dot[] = {(void *)dot, (void *)augment, (void *)reverse};
static double f(double *x, double *w) { return dot(x, w); }
int main(void) {
  double x = 1, dx = 0, w = 2;
  __enzyme_autodiff((void *)f, &x, &dx, enzyme_const, &w);
  return dx != 2;
}
double dot(const double *x, const double *w) { return *x * *w; }
