/* EZ0302: a problem of two requests is reported once; the problems of one request are reported too.
 * flags: -Wl,--unresolved-symbols=ignore-all */
extern double __enzyme_autodiff(void *, ...);
double mystery(double), enigma(double);
#define NOINLINE __attribute__((noinline))
NOINLINE static double both(double x, double y) { return mystery(x) * y; } /* expect: 6:58: error: the differentiated */
NOINLINE double f(double x) { return both(x, 2); }
NOINLINE double g(double x) { return both(1, x) * enigma(x) + both(x, x); } /* expect: 8:51: error: the differentiated */
int main(void) { return __enzyme_autodiff((void *)f, 2.0) + __enzyme_autodiff((void *)g, 2.0) != 4; }
