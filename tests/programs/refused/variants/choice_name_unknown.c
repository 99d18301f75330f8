/* EZ0203: which choices carry a derivative must be known at the link. expect: it must be a constant string */
extern double __enzyme_trace(void *, ...);
extern double __enzyme_sample(void *, void *, const char *, ...);
extern int enzyme_active_rand_var, enzyme_duptrace;
void __enzyme_insert_choice(void *t, const char *name, double density, void *bits, unsigned long size) {}

static double draw(double mean) { return mean; }
static double density(double mean, double x) { return mean * x; }
static double model(double mean) { return __enzyme_sample((void *)draw, (void *)density, "a", mean); }
int main(int n, char **words) {
  int trace;
  __enzyme_trace((void *)model, 1.0, &enzyme_active_rand_var, words[n - 1], &enzyme_duptrace, &trace);
}
