/* EZ0202: the tape is missing. */
extern double __enzyme_reverse(void *, ...);
double f(double x) { return x * x; }
int main(void) { return __enzyme_reverse((void *)f, 3.0) != 6; }
