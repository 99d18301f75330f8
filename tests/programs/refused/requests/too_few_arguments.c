/* EZ0202: an argument is missing. */
extern double __enzyme_autodiff(void *, ...);
double f(double x, double y) { return x * y; }
int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 4; }
