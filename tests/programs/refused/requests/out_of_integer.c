/* EZ0203: enzyme_out before an integer. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_out;
double f(double x, int n) { return x * n; }
int main(void) { return __enzyme_autodiff((void *)f, 2.0, enzyme_out, 3) != 3; }
