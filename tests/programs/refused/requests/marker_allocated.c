/* EZ0206: enzyme_allocated has no place in __enzyme_autodiff. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_allocated;
double f(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)f, enzyme_allocated, 8, 2.0) != 4; }
