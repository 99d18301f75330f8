/* EZ0217: a trace in a program that cannot keep one.
 * expect: the program has no function __enzyme_insert_choice
 */
extern double __enzyme_sample(void *, void *, const char *, ...);
extern double __enzyme_trace(void *, ...);
extern int enzyme_trace;
static double drawn(double mean) { return mean + 1; }
static double density(double mean, double x) { return mean - x; }
static double model(double mean) { return __enzyme_sample((void *)drawn, (void *)density, "x", mean); }
int main(void) { return (int)__enzyme_trace((void *)model, 1.0, &enzyme_trace, (void *)0); }
