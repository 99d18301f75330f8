/* The log-likelihood of a mixture of Gaussians with diagonal covariances; terms in a buffer overwritten for each point. */
#include "bench.h"

enum { POINTS = 2000, PARTS = 20, DIMS = 16 };

__attribute__((noinline)) static double likelihood(const double *alpha, const double *mean, const double *q, const double *x,
                                                   double *term, int points, int parts, int dims) {
  double sum = 0;
  for (int p = 0; p < points; p++) {
    double top = -INFINITY, mass = 0;
    for (int k = 0; k < parts; k++) {
      double square = 0, logs = 0;
      for (int d = 0; d < dims; d++) {
        double scaled = exp(q[k * dims + d]) * (x[p * dims + d] - mean[k * dims + d]);
        square += scaled * scaled;
        logs += q[k * dims + d];
      }
      term[k] = alpha[k] + logs - 0.5 * square;
      if (term[k] > top)
        top = term[k];
    }
    for (int k = 0; k < parts; k++)
      mass += exp(term[k] - top);
    sum += top + log(mass);
  }
  return sum;
}

static void likelihood_by_hand(const double *alpha, double *dalpha, const double *mean, double *dmean, const double *q,
                               double *dq, const double *x, double *term, int points, int parts, int dims) {
  for (int p = 0; p < points; p++) {
    double top = -INFINITY, mass = 0;
    for (int k = 0; k < parts; k++) {
      double square = 0, logs = 0;
      for (int d = 0; d < dims; d++) {
        double scaled = exp(q[k * dims + d]) * (x[p * dims + d] - mean[k * dims + d]);
        square += scaled * scaled;
        logs += q[k * dims + d];
      }
      term[k] = alpha[k] + logs - 0.5 * square;
      if (term[k] > top)
        top = term[k];
    }
    for (int k = 0; k < parts; k++)
      mass += exp(term[k] - top);
    for (int k = 0; k < parts; k++) {
      double weight = exp(term[k] - top) / mass;
      dalpha[k] += weight;
      for (int d = 0; d < dims; d++) {
        double e = exp(q[k * dims + d]), scaled = e * (x[p * dims + d] - mean[k * dims + d]);
        dq[k * dims + d] += weight * (1 - scaled * scaled);
        dmean[k * dims + d] += weight * scaled * e;
      }
    }
  }
}

static double *alpha, *dalpha, *dalpha_hand, *mean, *dmean, *dmean_hand, *q, *dq, *dq_hand, *x, *term, *dterm;

static void clear(double *a, double *b, double *c) {
  memset(a, 0, PARTS * sizeof *a), memset(b, 0, PARTS * DIMS * sizeof *b), memset(c, 0, PARTS * DIMS * sizeof *c);
}
static void primal(void) { likelihood(alpha, mean, q, x, term, POINTS, PARTS, DIMS); }
static void gradient(void) {
  clear(dalpha, dmean, dq);
  __enzyme_autodiff((void *)likelihood, enzyme_dup, alpha, dalpha, enzyme_dup, mean, dmean, enzyme_dup, q, dq, enzyme_const,
                    x, enzyme_dup, term, dterm, POINTS, PARTS, DIMS);
}
static void hand(void) {
  clear(dalpha_hand, dmean_hand, dq_hand);
  likelihood_by_hand(alpha, dalpha_hand, mean, dmean_hand, q, dq_hand, x, term, POINTS, PARTS, DIMS);
}

int main(void) {
  alpha = numbers(PARTS, -1, 1), mean = numbers(PARTS * DIMS, -1, 1), q = numbers(PARTS * DIMS, -0.5, 0.5);
  x = numbers(POINTS * DIMS, -1, 1), term = numbers(PARTS, 0, 0), dterm = numbers(PARTS, 0, 0);
  dalpha = numbers(PARTS, 0, 0), dalpha_hand = numbers(PARTS, 0, 0), dmean = numbers(PARTS * DIMS, 0, 0);
  dmean_hand = numbers(PARTS * DIMS, 0, 0), dq = numbers(PARTS * DIMS, 0, 0), dq_hand = numbers(PARTS * DIMS, 0, 0);
  return report(primal, gradient, hand, dmean, dmean_hand, PARTS * DIMS, 0);
}
