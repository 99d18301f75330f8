/* EZ0203: enzyme_dup before a number. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
double f(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)f, enzyme_dup, 2.0, 1.0) != 4; }
