/* EZ0202: a trace is asked for and not given.
 * expect: enzyme_trace and a pointer are missing
 */
extern double __enzyme_sample(void *, void *, const char *, ...);
extern double __enzyme_trace(void *, ...);
static double drawn(double mean) { return mean + 1; }
static double density(double mean, double x) { return mean - x; }
static double model(double mean) { return __enzyme_sample((void *)drawn, (void *)density, "x", mean); }
int main(void) { return (int)__enzyme_trace((void *)model, 1.0); }
