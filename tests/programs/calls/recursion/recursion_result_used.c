/* Recursion whose result is used: in products, functions, conditions, memory and addresses, by one call and by several. */
#include "../../check.h"

NOINLINE static double chain(const double *x, int n) {
  if (n == 0)
    return x[0];
  double r = chain(x, n - 1);
  return sin(r) * x[n & 3] + 0.5 * r;
}

NOINLINE static double by_value(double a, double b, int n) {
  if (n == 0)
    return a * b;
  double r = by_value(a * 1.01, b + a * 0.1, n - 1);
  return r * b + cos(r * a);
}

/* Horner's scheme: only the other factor of the product needs the result. */
NOINLINE static double horner(const double *c, double at, int n) { return n == 0 ? c[0] : c[n] + at * horner(c, at, n - 1); }

NOINLINE static double decided(const double *x, int n) {
  if (n == 0)
    return x[1];
  double r = decided(x, n - 1);
  return r > 0.8 ? r * 0.5 + x[n & 3] : r + x[2] * x[2];
}

NOINLINE static double stored(double *x, int n) {
  if (n == 0)
    return x[0] * x[1];
  double history[3] = {x[n & 3], stored(x, n - 1), 1};
  for (int i = 0; i < 4; i++)
    history[(i + n) % 3] += history[i % 3] * 0.5;
  return history[0] + sin(history[1]) - history[2];
}

NOINLINE static double as_index(const double *x, int n) {
  if (n == 0)
    return x[3];
  double r = as_index(x, n - 1);
  return x[(int)fabs(r * 3) & 3] * 0.5 + r * 0.25;
}

NOINLINE static double two_calls(const double *x, int first, int count) {
  if (count == 1)
    return x[first];
  int half = count / 2;
  return two_calls(x, first, half) * 0.7 + sin(two_calls(x, first + half, count - half)) * x[0];
}

NOINLINE static double in_loop(const double *x, int n) {
  double product = x[n];
  for (int i = 0; i < n; i++)
    product += product * sin(in_loop(x, i));
  return product;
}

typedef struct {
  double value, weight;
} Pair;

NOINLINE static Pair pair(const double *x, int n) {
  if (n == 0)
    return (Pair){x[0], x[1]};
  Pair below = pair(x, n - 1);
  return (Pair){below.value * below.weight + x[n & 3], below.weight * 0.9 + 0.1 * below.value};
}

NOINLINE static double even(const double *x, int n);
NOINLINE static double odd(const double *x, int n) {
  double r = n <= 0 ? x[2] : even(x, n - 1);
  return r * r * 0.1 + sin(r);
}
NOINLINE static double even(const double *x, int n) { return n <= 0 ? x[0] : x[1] * odd(x, n - 1); }

static double run_chain(double *x) { return chain(x, 9); }
static double run_by_value(double *x) { return by_value(x[0], x[1], 6); }
static double run_horner(double *x) { return horner(x, x[0], 3); }
static double run_decided(double *x) { return decided(x, 9); }
static double run_stored(double *x) { return stored(x, 5); }
static double run_as_index(double *x) { return as_index(x, 7); }
static double run_two_calls(double *x) { return two_calls(x, 0, 4); }
static double run_in_loop(double *x) { return in_loop(x, 3); }
static double run_pair(double *x) {
  Pair p = pair(x, 6);
  return p.value * p.weight;
}
static double run_mutual(double *x) { return even(x, 7) + odd(x, 2); }

/* The array changes behind the call, and in front of it. */
static double run_between(double *x) {
  x[0] *= x[1];
  double r = chain(x, 5);
  x[1] = r * x[2];
  return chain(x, 4) * r;
}

int main(void) {
  CHECK(run_chain, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_by_value, 0.9, 1.2);
  CHECK(run_horner, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_decided, 0.9, 0.2, 0.7, 0.4);
  CHECK(run_stored, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_as_index, 0.9, 0.2, 0.7, 0.4);
  CHECK(run_two_calls, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_in_loop, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_pair, 0.9, 1.2, 0.7, 0.4);
  CHECK(run_mutual, 0.9, 1.2, 0.7);
  CHECK(run_between, 0.9, 1.2, 0.7, 0.4);
  return failures;
}
