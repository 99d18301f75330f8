/* Library functions write over numbers that carry derivatives, or leave some of them as they are. */
#define _GNU_SOURCE
#include "../check.h"
#include <sys/random.h>

static double scanned(double *x) {
  double a = x[0] * x[1], b = x[1], s = 0;
  long double c = x[2];
  struct { int n; double v; } part = {1, x[2]};
  for (int i = 0; i < 3; i++) {
    s += a * a + b * part.v;
    s += sscanf("0.5 7 1.5", "%lf %d %lf", &a, &part.n, &part.v);
    s += sscanf("2.5 nothing", "%lf %Lf", &b, &c) * part.n; /* c stays */
    a = a * x[0] + b * b;
    b = b * x[1] + (double)c * part.v;
    part.v *= x[2];
  }
  return s + a * b;
}

static double read_over(double *x) {
  double a[3] = {x[0] * x[1], x[1], x[2]};
  const double numbers[] = {1.5, 2.5};
  FILE *f = tmpfile();
  fwrite(numbers, sizeof *numbers, 2, f);
  rewind(f);
  double s = a[0] * a[1];
  size_t n = fread(a, sizeof *a, 3, f); /* a[2] stays */
  fclose(f);
  return s + a[0] * a[1] * x[0] + a[2] * a[2] * (double)n;
}

static double random_bytes(double *x) {
  double a[2] = {x[0] * x[1], x[2]}, s = a[0] * a[1];
  if (getrandom(a, sizeof *a, 0) != sizeof *a)
    abort();
  s += (a[0] == a[0] ? a[0] - a[0] : 0) + a[1] * x[1];
  a[0] = x[1] * s;
  return s * a[0];
}

int main(void) {
  CHECK(scanned, 0.5, 1.2, -0.7);
  CHECK(read_over, 0.5, 1.2, -0.7);
  CHECK(random_bytes, 0.5, 1.2, -0.7);
  return failures;
}
