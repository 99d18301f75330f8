/* EZ0302: a function called was compiled by another compiler. */
extern double __enzyme_autodiff(void *, ...);
extern double f(double);
double g(double x) { return f(x) * x; }
int main(void) { return __enzyme_autodiff((void *)g, 2.0) != 12; }
