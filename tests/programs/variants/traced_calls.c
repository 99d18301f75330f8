/* Traces that record functions, their arguments and results, and derivatives of the log-likelihood by arguments. */
#define RECORDS_CALLS
#include "../check.h"
#include "traces.h"

extern double __enzyme_sample(void *, void *, const char *, ...);
extern double __enzyme_trace(void *, ...);
extern double __enzyme_condition_slopes(void *, ...);
extern int enzyme_trace, enzyme_duptrace, enzyme_observations, enzyme_likelihood;

static NOINLINE double below(double mean, int n, float deviation) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += __enzyme_sample((void *)normal, (void *)normal_density, "y", mean, (double)deviation);
  return sum;
}

static double model(double deviation, int n) {
  double mean = __enzyme_sample((void *)normal, (void *)normal_density, "mean", 1.0, deviation);
  return below(mean * mean, n, 0.5f) + mean;
}

static double as_double(void *bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

int main(void) {
  struct trace *t = __enzyme_newtrace();
  double result = __enzyme_trace((void *)model, 0.7, 1, &enzyme_trace, t);
  struct trace *inner = t->call[0].trace;
  double mean = t->choice[0].value, y = inner->choice[0].value;
  same("function", 0, t->function == (void *)model && inner->function == (void *)below, 1, 0);
  same("arguments", 0, t->arguments, 2, 0);
  same("deviation", 0, as_double(t->argument[0]), 0.7, 0);
  same("n", 0, (long)t->argument[1], 1, 0);
  same("result", 0, as_double(t->result), result, 0);
  same("arguments below", 0, inner->arguments, 3, 0);
  same("mean below", 0, as_double(inner->argument[0]), mean * mean, 0);
  same("result below", 0, as_double(inner->result), y, 0);

  struct trace *found = __enzyme_newtrace();
  double likelihood = 0, deviation = 0.7;
  double slope = __enzyme_condition_slopes((void *)model, &enzyme_out, deviation, 1, &enzyme_observations, t,
                                           &enzyme_duptrace, found, &enzyme_likelihood, &likelihood);
  double z = (mean - 1) / deviation, by_deviation = (z * z - 1) / deviation;
  same("by deviation", 0, slope, by_deviation, 1e-12);
  same("recorded by deviation", 0, as_double(found->argument_slope[0]), by_deviation, 1e-12);
  double by_mean = (y - mean * mean) / 0.25;
  same("recorded by mean below", 0, as_double(found->call[0].trace->argument_slope[0]), by_mean, 1e-12);
  float by_float;
  memcpy(&by_float, &found->call[0].trace->argument_slope[1], sizeof by_float);
  double w = (y - mean * mean) / 0.5;
  same("recorded by deviation below", 0, by_float, (w * w - 1) / 0.5, 1e-6);
  __enzyme_freetrace(found);
  __enzyme_freetrace(t);
  return failures;
}
