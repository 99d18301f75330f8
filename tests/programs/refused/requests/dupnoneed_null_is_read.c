/* EZ0203: the function reads what the null argument points to. */
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed;
static void f(const double *x, double *y) { y[0] += x[0]; }
int main(void) {
  double x = 2, dx = 0, dy = 1;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &dx, enzyme_dupnoneed, (double *)0, &dy);
  return dx != 1;
}
