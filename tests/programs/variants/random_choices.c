/* Traces, conditions and likelihoods of a function with random choices, and their derivatives. */
#include "../check.h"
#include "traces.h"

extern double __enzyme_sample(void *, void *, const char *, ...);
extern double __enzyme_trace(void *, ...);
extern void __enzyme_trace_slopes(void *, ...);
extern double __enzyme_condition(void *, ...);
extern double __enzyme_condition_slopes(void *, ...);
extern double __enzyme_likelihood(void *, ...);
extern void __enzyme_likelihood_slopes(void *, ...);
extern int enzyme_trace, enzyme_duptrace, enzyme_observations, enzyme_likelihood, enzyme_duplikelihood;

static const char *const NAMES[] = {"y0", "y1", "y2"};

static NOINLINE double data(double slope, double deviation, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += __enzyme_sample((void *)normal, (void *)normal_density, NAMES[i], slope * (i + 1), deviation);
  return sum;
}

static double model(double deviation, int n) {
  double slope = __enzyme_sample((void *)normal, (void *)normal_density, "slope", 1.0, 2.0);
  double offset = __enzyme_sample((void *)normal, (void *)normal_density, "offset", slope * slope, 0.5);
  return data(slope + offset, deviation, n);
}

static const double Y[] = {1.5, 2.5, 4.0};

static double likelihood_at(double slope, double offset, double deviation) {
  double l = normal_density(1, 2, slope) + normal_density(slope * slope, 0.5, offset);
  for (int i = 0; i < 3; i++)
    l += normal_density((slope + offset) * (i + 1), deviation, Y[i]);
  return l;
}

static struct trace *observed(double slope, double offset) {
  struct trace *t = __enzyme_newtrace(), *below = __enzyme_newtrace();
  double values[] = {slope, offset};
  void *bits[2];
  memcpy(bits, values, sizeof bits);
  __enzyme_insert_choice(t, "slope", 0, bits[0], 8);
  __enzyme_insert_choice(t, "offset", 0, bits[1], 8);
  for (int i = 0; i < 3; i++) {
    memcpy(bits, &Y[i], 8);
    __enzyme_insert_choice(below, NAMES[i], 0, bits[0], 8);
  }
  __enzyme_insert_call(t, "data", below);
  return t;
}

int main(void) {
  /* without a request, a choice is a draw */
  unsigned long start = random_state;
  double drawn = model(0.7, 3);
  random_state = start;
  struct trace *t = __enzyme_newtrace();
  double likelihood = 5;
  double result = __enzyme_trace((void *)model, 0.7, 3, &enzyme_trace, t, &enzyme_likelihood, &likelihood);
  same("a trace draws the same", 0, result, drawn, 0);
  same("choices", 0, t->n, 2, 0);
  same("calls", 0, t->calls, 1, 0);
  struct trace *below = t->call[0].trace;
  double slope = t->choice[0].value, offset = t->choice[1].value, sum = 0, scores = 0;
  for (int i = 0; i < 2; i++)
    scores += t->choice[i].score;
  for (int i = 0; i < below->n; i++)
    sum += below->choice[i].value, scores += below->choice[i].score;
  same("they are those of the result", 0, sum, result, 1e-15);
  same("the score of the first", 0, t->choice[0].score, normal_density(1, 2, slope), 1e-15);
  same("the score of the second", 0, t->choice[1].score, normal_density(slope * slope, 0.5, offset), 1e-15);
  same("the likelihood", 0, likelihood, scores, 1e-14);
  __enzyme_freetrace(t);

  /* observed choices are not drawn */
  struct trace *o = observed(0.8, 0.4);
  t = __enzyme_newtrace();
  result = __enzyme_condition((void *)model, 0.7, 3, &enzyme_observations, o, &enzyme_trace, t, &enzyme_likelihood,
                              &likelihood);
  same("conditioned", 0, result, Y[0] + Y[1] + Y[2], 1e-15);
  same("its likelihood", 0, likelihood, likelihood_at(0.8, 0.4, 0.7), 1e-14);
  __enzyme_freetrace(t);

  /* derivatives by the choices, which the trace gets, and by an argument */
  t = __enzyme_newtrace();
  double by_deviation = __enzyme_condition_slopes((void *)model, &enzyme_out, 0.7, 3, &enzyme_observations, o,
                                                  &enzyme_duptrace, t, &enzyme_likelihood, &likelihood);
  double h = 1e-5;
  same("likelihood of a gradient", 0, likelihood, likelihood_at(0.8, 0.4, 0.7), 1e-14);
  same("by slope", 0, t->choice[place(t, "slope")].slope,
       (likelihood_at(0.8 + h, 0.4, 0.7) - likelihood_at(0.8 - h, 0.4, 0.7)) / (2 * h), 1e-8);
  same("by offset", 0, t->choice[place(t, "offset")].slope,
       (likelihood_at(0.8, 0.4 + h, 0.7) - likelihood_at(0.8, 0.4 - h, 0.7)) / (2 * h), 1e-8);
  same("by deviation", 0, by_deviation,
       (likelihood_at(0.8, 0.4, 0.7 + h) - likelihood_at(0.8, 0.4, 0.7 - h)) / (2 * h), 1e-8);
  below = t->call[0].trace;
  for (int i = 0; i < 3; i++)
    same("by an observation", i, below->choice[place(below, NAMES[i])].slope,
         slope_of_density(1.2 * (i + 1), 0.7, Y[i]), 1e-12);
  __enzyme_freetrace(t);
  __enzyme_freetrace(o);

  /* the derivative of a drawn trace, and the likelihood alone */
  t = __enzyme_newtrace();
  __enzyme_trace_slopes((void *)model, 0.7, 3, &enzyme_duptrace, t);
  double last = t->choice[1].value - t->choice[0].value * t->choice[0].value;
  below = t->call[0].trace;
  double slope_of_sum = 0;
  for (int i = 0; i < 3; i++)
    slope_of_sum -= (i + 1) * below->choice[i].slope;
  same("by a drawn offset", 0, t->choice[1].slope, -last / 0.25 + slope_of_sum, 1e-12);
  __enzyme_freetrace(t);
  double seed = 2;
  start = random_state;
  __enzyme_likelihood_slopes((void *)model, 0.7, 3, &enzyme_duplikelihood, &likelihood, &seed);
  double first = likelihood;
  random_state = start;
  __enzyme_likelihood((void *)model, 0.7, 3, &enzyme_likelihood, &likelihood);
  same("likelihood alone", 0, likelihood, first, 0);
  return failures;
}
