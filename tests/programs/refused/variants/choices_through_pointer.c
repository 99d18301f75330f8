/* EZ0215: a traced function calls through a function pointer.
 * expect: a function pointer is called in a traced function
 */
extern double __enzyme_sample(void *, void *, const char *, ...);
extern void __enzyme_likelihood(void *, ...);
extern int enzyme_likelihood;
double (*volatile chosen)(double);
static double drawn(double mean) { return mean + 1; }
static double density(double mean, double x) { return mean - x; }
static double model(double mean) { return chosen(__enzyme_sample((void *)drawn, (void *)density, "x", mean)); }
int main(void) {
  double l;
  __enzyme_likelihood((void *)model, 1.0, &enzyme_likelihood, &l);
  return (int)l;
}
