/* EZ0201: a marker that does not exist. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_sometimes;
double f(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)f, enzyme_sometimes, 2.0) != 4; }
