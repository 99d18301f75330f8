/* Hamiltonian Monte Carlo: draws lines from the posterior distribution of a model, given the measured values.

   The position of the walker is the offset and the slope of a line, its potential the negative log-likelihood. The
   derivative of that by each choice of the model comes from one request. R. M. Neal, MCMC using Hamiltonian dynamics,
   2011. */
#include "model.h"
#include "trace.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_observations, enzyme_duptrace, enzyme_likelihood, enzyme_trace;
extern void __enzyme_condition(void *, ...);
extern void __enzyme_trace(void *, ...);

enum { WALKS = 4000, SKIPPED = 500, STEPS = 20 };
static const double STEP = 0.06;
static const char *const WANTED[2] = {"offset", "slope"};
static double at[POINTS];

/* The log-likelihood of a position, and its derivative. `given` holds the measured values. */
static double likelihood(struct trace *given, const double *position, double *slope) {
  struct trace found = {0};
  double sum;
  for (int k = 0; k < 2; k++)
    choice_of(given, WANTED[k])->value = position[k];
  __enzyme_condition((void *)line, at, POINTS, &enzyme_observations, given, &enzyme_duptrace, &found,
                     &enzyme_likelihood, &sum);
  for (int k = 0; k < 2; k++)
    slope[k] = choice_of(&found, WANTED[k])->slope;
  return sum;
}

/* One walk of the leapfrog method from a position. Returns whether its end is taken as the new position. */
static int walk(struct trace *given, double *position) {
  double end[2] = {position[0], position[1]}, momentum[2], slope[2];
  double before = likelihood(given, end, slope);
  for (int k = 0; k < 2; k++) {
    momentum[k] = normal(0, 1);
    before -= momentum[k] * momentum[k] / 2;
  }
  double after = before;
  for (int t = 0; t < STEPS; t++) {
    for (int k = 0; k < 2; k++) {
      momentum[k] += STEP / 2 * slope[k];
      end[k] += STEP * momentum[k];
    }
    after = likelihood(given, end, slope);
    for (int k = 0; k < 2; k++) {
      momentum[k] += STEP / 2 * slope[k];
      after -= momentum[k] * momentum[k] / 2;
    }
  }
  if (log(uniform()) > after - before)
    return 0;
  position[0] = end[0], position[1] = end[1];
  return 1;
}

/* The posterior distribution in closed form: the precision matrix is A'A / ERROR^2 + I / PRIOR^2. */
static void exact(const struct trace *given, double *mean, double *deviation) {
  double p00 = 1 / (PRIOR * PRIOR), p01 = 0, p11 = p00, r0 = 0, r1 = 0;
  for (int i = 0; i < POINTS; i++) {
    double y = choice_of((struct trace *)given, measured[i])->value, w = 1 / (ERROR * ERROR);
    p00 += w, p01 += w * at[i], p11 += w * at[i] * at[i];
    r0 += w * y, r1 += w * at[i] * y;
  }
  double determinant = p00 * p11 - p01 * p01;
  mean[0] = (p11 * r0 - p01 * r1) / determinant;
  mean[1] = (p00 * r1 - p01 * r0) / determinant;
  deviation[0] = sqrt(p11 / determinant);
  deviation[1] = sqrt(p00 / determinant);
}

int main(void) {
  for (int i = 0; i < POINTS; i++)
    at[i] = (i - POINTS / 2) / 5.0;
  /* data of the model itself: one run of it, of which the measured values are kept */
  struct trace run = {0}, given = {0};
  __enzyme_trace((void *)line, at, POINTS, &enzyme_trace, &run);
  for (int i = 0; i < POINTS; i++)
    choice_of(&given, measured[i])->value = choice_of(&run, measured[i])->value;

  double position[2] = {0, 0}, sum[2] = {0}, squares[2] = {0}, mean[2], deviation[2];
  int taken = 0, wrong = 0;
  for (int n = 0; n < SKIPPED + WALKS; n++) {
    int is_taken = walk(&given, position);
    for (int k = 0; k < 2 && n >= SKIPPED; k++) {
      sum[k] += position[k];
      squares[k] += position[k] * position[k];
    }
    taken += n >= SKIPPED && is_taken;
  }
  exact(&given, mean, deviation);
  printf("%.0f %% of %d walks taken\n", 100.0 * taken / WALKS, WALKS);
  for (int k = 0; k < 2; k++) {
    double m = sum[k] / WALKS, d = sqrt(squares[k] / WALKS - m * m);
    printf("%-6s: %.4f +- %.4f, exactly %.4f +- %.4f; the data were made with %.4f\n", WANTED[k], m, d, mean[k],
           deviation[k], choice_of(&run, WANTED[k])->value);
    wrong += fabs(m - mean[k]) > 0.1 * deviation[k] || fabs(d - deviation[k]) > 0.1 * deviation[k];
  }
  return wrong;
}
