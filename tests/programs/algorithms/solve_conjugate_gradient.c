/* Conjugate gradients until the residual is small. */
#include "../check.h"

enum { N = 5 };

static void apply(const double *k, const double *v, double *out) {
  for (int i = 0; i < N; i++)
    out[i] = (2 + k[i]) * v[i] - (i ? v[i - 1] : 0) - (i < N - 1 ? v[i + 1] : 0);
}

static double cg(double *x) {
  double u[N] = {0}, r[N], p[N], q[N], rr = 0;
  for (int i = 0; i < N; i++)
    p[i] = r[i] = i + 1, rr += r[i] * r[i];
  while (rr > 1e-22) {
    double pq = 0, old = rr;
    apply(x, p, q);
    for (int i = 0; i < N; i++)
      pq += p[i] * q[i];
    rr = 0;
    for (int i = 0; i < N; i++) {
      u[i] += old / pq * p[i];
      r[i] -= old / pq * q[i];
      rr += r[i] * r[i];
    }
    for (int i = 0; i < N; i++)
      p[i] = r[i] + rr / old * p[i];
  }
  double s = 0;
  for (int i = 0; i < N; i++)
    s += u[i] * u[i];
  return s;
}

int main(void) {
  CHECK_AS(double, check, 1e-5, cg, 0.5, 1.2, 0.7, 0.9, 2.0);
  return failures;
}
