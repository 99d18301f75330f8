#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"

__attribute__((noinline)) static double y0(double x) { return x * x; }
__attribute__((noinline)) static double gamma(double x) { return x * 3 + 1; }
__attribute__((noinline)) static void log(const char *what, double *x) { x[0] *= what[0] == 'a' ? x[1] : 1; }
__attribute__((noinline)) static double y1(double x) { return y0(x) + gamma(x); }

double stat(double, int);
double error(const double *, int);

double run(double *x) {
  log("a", x);
  return stat(x[0], 3) + error(x, 1) + y0(x[0]) * gamma(x[1]) + y1(x[0] * x[1]);
}
