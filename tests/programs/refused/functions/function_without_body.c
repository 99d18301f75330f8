/* EZ0302: an active number goes into a function of the C library that has no rule. */
extern double __enzyme_autodiff(void *, ...);
extern void *lsearch(const void *, void *, unsigned long *, unsigned long, int (*)(const void *, const void *));
static int order(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}
double f(double *x) {
  double table[4] = {x[0], x[1]};
  unsigned long n = 2;
  lsearch(&x[2], table, &n, sizeof *x, order);
  return table[0] * table[1] * table[2];
}
int main(void) {
  double x[] = {3, 2, 1}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[2] != 4;
}
