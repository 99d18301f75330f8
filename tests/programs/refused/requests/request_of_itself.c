/* EZ0210: the derivative of f is needed to make the derivative of f. */
extern double __enzyme_autodiff(void *, ...);
double f(double x) { return x < 0 ? x : x * __enzyme_autodiff((void *)f, x - 1); }
int main(void) { return f(3) == 0; }
