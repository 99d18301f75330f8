/* EZ0215: an estimate of the error of what a function pointer computes.
 * expect: the rounding error of what a function pointer points to is not known
 */
extern double __enzyme_error_estimate(void *, ...);
double (*volatile chosen)(double);
double twice(double x) { return 2 * chosen(x); }
int main(int argc, char **argv) { return (int)__enzyme_error_estimate((void *)twice, (double)argc, 0.0); }
