/* EZ0202: an estimate of the error without the error of the argument.
 * expect: what follows argument 1 is missing
 */
extern double __enzyme_error_estimate(void *, ...);
double square(double x) { return x * x; }
int main(void) { return (int)__enzyme_error_estimate((void *)square, 3.0); }
