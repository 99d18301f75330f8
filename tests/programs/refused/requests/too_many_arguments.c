/* EZ0202: an argument is left. */
extern double __enzyme_autodiff(void *, ...);
double f(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)f, 2.0, 3.0) != 4; }
