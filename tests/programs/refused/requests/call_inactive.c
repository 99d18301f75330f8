/* EZ0203: a call without a derivative passes other arguments than the function takes.
   expect: the function that __enzyme_call_inactive calls has the type double (double, double) */
extern double __enzyme_autodiff(void *, ...), __enzyme_call_inactive(void *, ...);
double product(double x, double y) { return x * y; }
double f(double x) { return x * __enzyme_call_inactive((void *)product, x); }
int main(void) { return __enzyme_autodiff((void *)f, 3.0) != 7; }
