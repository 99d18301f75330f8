/* EZ0108: the function was compiled by another compiler. */
extern double __enzyme_autodiff(void *, ...);
extern double f(double);
int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 4; }
