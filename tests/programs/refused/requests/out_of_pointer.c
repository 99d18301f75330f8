/* EZ0203: enzyme_out before a pointer. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_out;
double f(double *x) { return *x * *x; }
int main(void) {
  double x = 2;
  return __enzyme_autodiff((void *)f, enzyme_out, &x) != 4;
}
