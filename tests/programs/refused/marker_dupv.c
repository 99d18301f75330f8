/* EZ0206: enzyme_dupv is not done yet. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dupv;
double f(double *x) { return *x * *x; }
int main(void) {
  double x = 2, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dupv, 8L, &x, dx);
  return dx[0] != 4;
}
