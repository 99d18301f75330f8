/* Functions and variables with names of libc's and libm's: Python's process has these, too. */
double gamma(double x) { return 3 * x; }
double significand(double x) { return 5 * x; }
double step(double x) { return x > 1 ? x * x : 2 * x; }
double error(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
__attribute__((noinline)) double advance(double x, double h) { return x + h * x; }

double functions(double x) { return gamma(x) + significand(x) + step(x) + error(&x, 1) + advance(x, 6); }

double timezone = 2, signgam = 3, optind = 4;
double *optarg = &timezone;
double variables(double x) { return (*optarg + signgam + optind) * x; }
