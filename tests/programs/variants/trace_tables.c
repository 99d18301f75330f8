/* Traces kept by functions of a table, which two models have of their own; choices of which only some carry a derivative;
 * and numbers that are observed in the program. */
#include "../check.h"
#include "traces.h"

extern double __enzyme_sample(void *, void *, const char *, ...);
extern double __enzyme_observe(double, void *, const char *, ...);
extern double __enzyme_trace(void *, ...);
extern double __enzyme_condition(void *, ...);
extern double __enzyme_condition_slopes(void *, ...);
extern int enzyme_trace, enzyme_duptrace, enzyme_observations, enzyme_likelihood, enzyme_interface;
extern int enzyme_active_rand_var;

static const double Y = 1.7;

static NOINLINE double data(double slope, double deviation) {
  return __enzyme_observe(Y * deviation, (void *)normal_density, "y", slope * slope, deviation);
}
static double model(double deviation) {
  double slope = __enzyme_sample((void *)normal, (void *)normal_density, "slope", 1.0, 2.0);
  double offset = __enzyme_sample((void *)normal, (void *)normal_density, "offset", slope * slope, deviation);
  return data(slope + offset, deviation) + slope;
}

static double term(int k, double slope, double offset, double deviation) {
  switch (k) {
  case 0:
    return normal_density(1, 2, slope);
  case 1:
    return normal_density(slope * slope, deviation, offset);
  default:
    return normal_density((slope + offset) * (slope + offset), deviation, Y * deviation);
  }
}
/* the derivatives of some of the terms, by differences */
static double by(int what, unsigned terms) {
  double h = 1e-5, sum = 0;
  for (int k = 0; k < 3; k++)
    for (int sign = 1; sign >= -1 && terms >> k & 1; sign -= 2)
      sum += sign * term(k, 0.8 + sign * h * (what == 0), 0.4 + sign * h * (what == 1), 0.7 + sign * h * (what == 2));
  return sum / (2 * h);
}

/* another keeper of traces: counts, and holds all values in one row */
struct row {
  int n, calls, gradients;
  double value[8], slope[8];
};
static void *row_of(void *t, const char *name) { return t; }
static unsigned long row_get(void *t, const char *name, void *to, unsigned long size) {
  memcpy(to, &((struct row *)t)->value[*name == 'o'], size);
  return size;
}
static void row_call(void *t, const char *name, void *below) {
  ((struct row *)t)->calls++;
  free(below);
}
static void row_choice(void *t, const char *name, double score, void *bits, unsigned long size) {
  struct row *r = t;
  memcpy(&r->value[r->n++], &bits, size);
}
static void row_slope(void *t, const char *name, void *bits, unsigned long size) {
  struct row *r = t;
  memcpy(&r->slope[*name == 'o'], &bits, size), r->gradients++;
}
static void *row_new(void) { return calloc(1, sizeof(struct row)); }
static bool row_has(void *t, const char *name) { return *name != 'd'; }

int main(void) {
  void *own[13] = {(void *)__enzyme_get_trace,  (void *)__enzyme_get_choice, (void *)__enzyme_insert_call,
                   (void *)__enzyme_insert_choice, NULL, NULL, NULL, (void *)__enzyme_insert_gradient_choice, NULL,
                   (void *)__enzyme_newtrace, (void *)__enzyme_freetrace, (void *)__enzyme_has_call,
                   (void *)__enzyme_has_choice};
  void *rows[13] = {row_of, row_get, row_call, row_choice, NULL, NULL, NULL, row_slope, NULL, row_new, free, row_has,
                    row_has};
  double likelihood = 0;
  struct row given = {.value = {0.8, 0.4}}, kept = {0};
  double by_deviation =
      __enzyme_condition_slopes((void *)model, &enzyme_out, 0.7, &enzyme_interface, rows, &enzyme_observations, &given,
                                &enzyme_duptrace, &kept, &enzyme_likelihood, &likelihood);
  double want = term(0, 0.8, 0.4, 0.7) + term(1, 0.8, 0.4, 0.7) + term(2, 0.8, 0.4, 0.7);
  same("likelihood", 0, likelihood, want, 1e-14);
  same("by slope", 0, kept.slope[0], by(0, 7), 1e-8);
  same("by offset", 0, kept.slope[1], by(1, 7), 1e-8);
  same("by deviation", 0, by_deviation, by(2, 7), 1e-8);
  same("choices", 0, kept.n * 100 + kept.calls * 10 + kept.gradients, 212, 0);

  /* the program's own functions, named and in a table */
  for (int named = 0; named < 2; named++) {
    struct trace *t = __enzyme_newtrace();
    unsigned long start = random_state;
    double result = named ? __enzyme_trace((void *)model, 0.7, &enzyme_trace, t)
                          : __enzyme_trace((void *)model, 0.7, &enzyme_interface, own, &enzyme_trace, t);
    same("result", named, result, t->choice[0].value + Y * 0.7, 1e-15);
    same("the observation", named, t->call[0].trace->choice[0].value, Y * 0.7, 0);
    random_state = start;
    same("without a trace", named, model(0.7), result, 0);
    __enzyme_freetrace(t);
  }

  /* only the offset carries a derivative: its term alone, by its own choice and by the argument */
  memset(&kept, 0, sizeof kept);
  by_deviation = __enzyme_condition_slopes((void *)model, &enzyme_out, 0.7, &enzyme_active_rand_var, "offset",
                                           &enzyme_interface, rows, &enzyme_observations, &given, &enzyme_duptrace,
                                           &kept, &enzyme_likelihood, &likelihood);
  same("likelihood of all", 0, likelihood, want, 1e-14);
  same("by the active choice", 0, kept.slope[1], by(1, 2), 1e-8);
  same("by deviation, one term", 0, by_deviation, by(2, 2), 1e-8);
  same("one gradient", 0, kept.gradients, 1, 0);
  memset(&kept, 0, sizeof kept);
  by_deviation = __enzyme_condition_slopes((void *)model, &enzyme_out, 0.7, &enzyme_active_rand_var, "offset",
                                           &enzyme_active_rand_var, "y", &enzyme_interface, rows, &enzyme_observations,
                                           &given, &enzyme_duptrace, &kept);
  same("by the active choice", 1, kept.slope[1], by(1, 6), 1e-8);
  same("by deviation, two terms", 0, by_deviation, by(2, 6), 1e-8);
  return failures;
}
