/* EZ0302: an active number goes into a function of the C library that has no rule. */
extern double __enzyme_autodiff(void *, ...);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}
double f(double *x) {
  qsort(x, 3, sizeof *x, order);
  return x[0] * x[1] * x[1];
}
int main(void) {
  double x[] = {3, 2, 1}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[2] != 4;
}
