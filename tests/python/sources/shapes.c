// Functions of many shapes, for tests/python.
#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

double energy(double *x, int n, const double *mass) {
  double e = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double r2 = 1e-3;
      for (int k = 0; k < 3; k++) {
        double d = x[3 * i + k] - x[3 * j + k];
        r2 += d * d;
      }
      e -= mass[i] * mass[j] / sqrt(r2);
    }
  return e;
}

double numbers(double a, double b) { return sin(a) * b * b; }

void combine(double a, const double *x, const double *y, int n, double *out) {
  for (int i = 0; i < n; i++)
    out[i] = a * x[i] + y[i] * y[i];
}

void squares(float *inp, size_t n, float *out) {
  for (size_t i = 0; i < n; i++)
    out[i] = inp[i] * inp[i];
}

double several(const double *x, long n, double *y, double *z) {
  *z = 0;
  for (long i = 0; i < n; i++) {
    y[i] = exp(x[i]);
    *z += x[i];
  }
  return *z * *z;
}

void in_place(double *x, int n, int steps) {
  for (int k = 0; k < steps; k++)
    for (int i = 1; i < n; i++)
      x[i] += 0.1 * x[i - 1] * x[i - 1];
}

float single(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}

void products(const double _Complex *a, const double _Complex *b, int n, double _Complex *c) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] * b[i] + conj(a[i]);
}

double _Complex sum_of_squares(const double _Complex *a, int n) {
  double _Complex s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * a[i];
  return s;
}

struct particle {
  double x[3];
  double mass;
  int is_free;
};
double kinetic(const struct particle *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    if (p[i].is_free)
      s += p[i].mass * (p[i].x[0] * p[i].x[0] + p[i].x[1] * p[i].x[2]);
  return s;
}

typedef struct {
  double a, b;
} pair;
double of_pair(pair p, int k) { return k * p.a * p.b; }
pair to_pair(double a, double b) { return (pair){a * b, a + b}; }

void folded(const double *p, int n, double *full, int m) {
  for (int i = 0; i < n * (n + 1) / 2; i++)
    full[i % m] += p[i] * p[i];
}

double chosen(const double *x, int n, const int32_t *which, int k, int power) {
  double s = 0;
  for (int i = 0; i < k; i++)
    s += pow(x[which[i]], power);
  return s;
}

int with_status(const double *x, int n, double *y) {
  *y = 0;
  for (int i = 0; i < n; i++)
    *y += x[i] * x[i];
  return n > 3;
}

void chain(const double *x, int n, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = (i ? x[i - 1] * x[i] : 0) + sin(x[i]);
}

double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++)
    s += 100 * (x[i + 1] - x[i] * x[i]) * (x[i + 1] - x[i] * x[i]) + (1 - x[i]) * (1 - x[i]);
  return s;
}
