/* EZ0202: a pointer without its shadow. */
extern double __enzyme_autodiff(void *, ...);
double f(double *x) { return *x * *x; }
int main(void) {
  double x = 2;
  return __enzyme_autodiff((void *)f, &x) != 4;
}
