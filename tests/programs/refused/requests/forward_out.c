/* EZ0203: forward mode returns no adjoints, so that no argument can be enzyme_out. */
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_out;
double f(double x) { return x * x; }
int main(void) { return __enzyme_fwddiff((void *)f, enzyme_out, 3.0) != 6; }
