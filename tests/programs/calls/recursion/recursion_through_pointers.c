/* Recursion through function pointers: in a struct, in a table, and passed as an argument. */
#include "../../check.h"

typedef struct Rule {
  double (*apply)(const struct Rule *, const double *, int);
  double weight;
} Rule;

static double grow(const Rule *rule, const double *x, int n) {
  if (n == 0)
    return x[0];
  double below = rule[n & 1].apply(rule, x, n - 1);
  return below * rule->weight + x[n & 3] * sin(below);
}
static double shrink(const Rule *rule, const double *x, int n) {
  if (n == 0)
    return x[1];
  return rule[~n & 1].apply(rule, x, n - 1) / (1 + x[n & 3] * x[n & 3]);
}

typedef double operation(const double *, int);
static operation plus, times, leaf;
static operation *const table[] = {plus, times, leaf};
static operation *chosen(int n) { return table[n < 4 ? 2 : n % 3]; }
static double leaf(const double *x, int n) { return x[n & 3]; }
static double plus(const double *x, int n) { return chosen(n)(x, n / 2) + chosen(n + 1)(x, n / 3); }
static double times(const double *x, int n) { return chosen(n)(x, n / 2) * chosen(n + 2)(x, n / 3); }

typedef double again(double, double, int, void *);
static double step(double a, double b, int n, void *self) { return n == 0 ? a : b * sin(((again *)self)(a + b, b, n - 1, self)); }

static double in_struct(double *x) {
  Rule rules[] = {{grow, 0.7}, {shrink, 0.3}};
  return rules[0].apply(rules, x, 7);
}
static double in_table(double *x) { return plus(x, 1000) + times(x, 2001); }
static double passed(double *x) { return step(x[0], x[1], 6, (void *)step); }

int main(void) {
  CHECK(in_struct, 0.9, 1.2, 0.7, 0.4);
  CHECK(in_table, 0.9, 1.2, 0.7, 0.4);
  CHECK(passed, 0.9, 1.2);
  return failures;
}
