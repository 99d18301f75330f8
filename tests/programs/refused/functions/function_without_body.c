/* EZ0302: an active number goes into a function of the C library that has no rule. */
extern double __enzyme_autodiff(void *, ...);
extern void *memfrob(void *, unsigned long);

double f(double *x) {
  double table[] = {x[0], x[1], x[2]};
  memfrob(table, 2 * sizeof *x);
  memfrob(table, 2 * sizeof *x);
  return table[0] * table[1] * table[2];
}
int main(void) {
  double x[] = {3, 2, 1}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  return dx[2] != 4;
}
