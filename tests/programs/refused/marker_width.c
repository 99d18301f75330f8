/* EZ0206: enzyme_width is not done yet. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_width;
double f(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)f, enzyme_width, 2, 2.0) != 4; }
