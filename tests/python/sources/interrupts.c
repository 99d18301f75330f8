/* Calls that take long, and what belongs to the thread that makes them. */
#define _GNU_SOURCE
#include <fenv.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

double squared_after(double x, int milliseconds) {
  double end = now() + 1e-3 * milliseconds;
  while (now() < end)
    ;
  return x * x;
}

void fill_after(const double *x, int n, int milliseconds, double *y) {
  double end = now() + 1e-3 * milliseconds;
  while (now() < end)
    ;
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

double thread_of(double x, int n) { return gettid() + 0 * x * n; }

double rounding_of(double x) { return fegetround() + 0 * x; }

double sum_of(double (*f)(double), double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += f(x + i);
  return sum;
}
