/* Primals and gradients of recursive functions, from 1,000 to 100,000 levels: time and tape of each level. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

enum { SHALLOW = 1000, DEEP = 100000, CALLS = 2000000 };
static size_t tape;

void enzyme_tape_released(size_t bytes) { tape = bytes; }

#define NOINLINE __attribute__((noinline))

NOINLINE static double used(const double *x, int n) {
  if (n == 0)
    return x[0];
  double r = used(x, n - 1);
  return sin(r) * x[n & 3] + 0.5 * r;
}

NOINLINE static double summed(const double *x, int n) {
  if (n == 0)
    return 0;
  double r = summed(x, n - 1);
  return 0.5 * r + x[n & 3] * x[n & 3];
}

NOINLINE static double by_value(double a, int n) {
  if (n == 0)
    return a;
  double r = by_value(a * 1.000001, n - 1);
  return r + 1e-3 * sin(r * a);
}
static double run_by_value(const double *x, int n) { return by_value(x[0], n); }

NOINLINE static double even(const double *x, int n);
NOINLINE static double odd(const double *x, int n) { return n <= 0 ? x[2] : 0.9 * sin(even(x, n - 1) + x[0]); }
NOINLINE static double even(const double *x, int n) { return n <= 0 ? x[0] : x[1] * cos(odd(x, n - 1)); }

NOINLINE static void overwriting(double *state, const double *x, int n) {
  if (n == 0)
    return;
  state[0] = sin(state[0]) + x[n & 3];
  overwriting(state, x, n - 1);
  state[1] = state[1] * 0.9 + state[0] * x[2];
  state[0] = cos(state[0] + state[1]);
}
static double run_overwriting(const double *x, int n) {
  double state[2] = {x[0], x[1]};
  overwriting(state, x, n);
  return state[0] + state[1];
}

/* One call for each of two halves: n calls, log n levels. */
NOINLINE static double halves(const double *x, int n) {
  return n <= 1 ? x[n & 3] : sin(halves(x, n / 2) * x[n & 3] + halves(x, n - n / 2));
}

/* Through a pointer, as an interpreter does. */
typedef struct Operation {
  double (*apply)(const struct Operation *, const double *, int);
} Operation;
static double add(const Operation *o, const double *x, int n) { return n <= 0 ? x[0] : 0.5 * o[n & 1].apply(o, x, n - 1) + x[n & 3]; }
static double sine(const Operation *o, const double *x, int n) { return n <= 0 ? x[1] : sin(o[n & 1].apply(o, x, n - 1)); }
static double run_pointers(const double *x, int n) {
  Operation table[] = {{add}, {sine}};
  return table[0].apply(table, x, n);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const double START[4] = {0.9, 1.2, 0.7, 0.4};

#define MEASURE(f)                                                                                                     \
  for (int depth = SHALLOW; depth <= DEEP; depth *= 10) {                                                              \
    double x[4], dx[4], primal, gradient, best = 1e30, best_gradient = 1e30;                                           \
    for (int turn = 0; turn < 5; turn++) {                                                                             \
      volatile double sum = 0;                                                                                         \
      int calls = CALLS / depth / 5;                                                                                   \
      double start = seconds();                                                                                        \
      for (int i = 0; i < calls; i++) {                                                                                \
        memcpy(x, START, sizeof x);                                                                                    \
        x[0] += i * 1e-9;                                                                                              \
        sum += f(x, depth);                                                                                            \
      }                                                                                                                \
      primal = (seconds() - start) / calls;                                                                            \
      start = seconds();                                                                                               \
      for (int i = 0; i < calls; i++) {                                                                                \
        memset(dx, 0, sizeof dx);                                                                                      \
        tape = 0;                                                                                                      \
        x[0] += i * 1e-9;                                                                                              \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, depth);                                          \
      }                                                                                                                \
      gradient = (seconds() - start) / calls;                                                                          \
      best = fmin(best, primal), best_gradient = fmin(best_gradient, gradient);                                        \
    }                                                                                                                  \
    printf("%s %d %g %g %zu\n", #f, depth, best * 1e9 / depth, best_gradient * 1e9 / depth, tape);                     \
  }

int main(void) {
  MEASURE(used)
  MEASURE(summed)
  MEASURE(run_by_value)
  MEASURE(even)
  MEASURE(run_overwriting)
  MEASURE(halves)
  MEASURE(run_pointers)
  return 0;
}
