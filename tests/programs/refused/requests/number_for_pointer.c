/* EZ0203: a number where the function takes a pointer. */
extern double __enzyme_autodiff(void *, ...);
double f(double *x) { return *x * *x; }
int main(void) {
  double x = 2;
  return __enzyme_autodiff((void *)f, 2.0, &x) != 4;
}
