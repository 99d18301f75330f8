/* EZ0203: the function that loads takes an argument more than it is given. expect: __enzyme_todense is given arguments that do not fit */
extern double __enzyme_fwddiff(void *, ...);
extern double *__enzyme_todense(void *, ...);
static double load(long at, long i) { return at == i; }
static void store(double value, long at, long i) {}
double f(const double *x) { return x[0] * x[1]; }
int main(void) {
  double x[] = {1, 2};
  return __enzyme_fwddiff((void *)f, x, __enzyme_todense((void *)load, (void *)store)) != 7;
}
