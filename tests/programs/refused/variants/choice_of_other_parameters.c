/* EZ0215: a random choice with too many parameters.
 * expect: the parameters of a random choice do not fit drawn
 */
extern double __enzyme_sample(void *, void *, const char *, ...);
extern void __enzyme_likelihood(void *, ...);
extern int enzyme_likelihood;
static double drawn(double mean) { return mean + 1; }
static double density(double mean, double x) { return mean - x; }
static double model(double mean) { return __enzyme_sample((void *)drawn, (void *)density, "x", mean, 2.0); }
int main(void) {
  double l;
  __enzyme_likelihood((void *)model, 1.0, &enzyme_likelihood, &l);
  return (int)l;
}
