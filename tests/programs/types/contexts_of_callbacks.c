/* An array of numbers and a struct are contexts of callbacks: the struct has a pointer where the array has a number. */
#include "../check.h"

enum { N = 8, FEW = 4 };
typedef double (*callback)(void *);

struct scaled {
  double numbers[FEW];
  const double *factor;
  double rest;
};

struct job {
  callback run;
  void *context;
};

static double squares(void *context) {
  const double *numbers = context;
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += (i + 1) * numbers[i] * numbers[i];
  return sum;
}

static double scaled_sum(void *context) {
  const struct scaled *scaled = context;
  double sum = 0;
  for (int i = 0; i < FEW; i++)
    sum += scaled->numbers[i];
  return sum * *scaled->factor;
}

NOINLINE static double all(const struct job *jobs, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += jobs[i].run(jobs[i].context);
  return sum;
}

static double of_both(const double *x, double *copy) {
  double factor = 2 * x[0];
  struct scaled scaled = {{x[0], x[1], x[2], x[3]}, &factor, 0};
  struct job jobs[] = {{squares, copy}, {scaled_sum, &scaled}};
  return all(jobs, 2);
}

static double of(double *x, double *copy) {
  memcpy(copy, x, N * sizeof *x);
  return of_both(x, copy);
}

static double on_stack(double *x) {
  double copy[N];
  return of(x, copy);
}

static double on_heap(double *x) {
  double *copy = malloc(N * sizeof *copy), value = of(x, copy);
  free(copy);
  return value;
}

/* Single numbers are copied to where the other context has a pointer, and to the place behind it. */
static double one_by_one(double *x) {
  double copy[N];
  memcpy(copy, x, FEW * sizeof *x);
  memcpy(copy + FEW, x + FEW, sizeof *x);
  memcpy(copy + FEW + 1, x + FEW + 1, sizeof *x);
  memcpy(copy + FEW + 2, x + FEW + 2, 2 * sizeof *x);
  return of_both(x, copy);
}

static double one_by_itself(double *x) {
  double copy[N];
  memcpy(copy, x, FEW * sizeof *x);
  memcpy(copy + FEW, x + FEW, sizeof *x);
  memcpy(copy + FEW + 1, x + FEW + 1, 3 * sizeof *x);
  return of_both(x, copy);
}

static double in_pairs(double *x) {
  double copy[N];
  memcpy(copy, x, FEW * sizeof *x);
  memcpy(copy + FEW, x + FEW, 2 * sizeof *x);
  memcpy(copy + FEW + 2, x + FEW + 2, 2 * sizeof *x);
  return of_both(x, copy);
}

int main(void) {
  CHECK(on_stack, 1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(on_heap, 1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(one_by_itself, 1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(one_by_one, 1, 2, 3, 4, 5, 6, 7, 8);
  CHECK(in_pairs, 1, 2, 3, 4, 5, 6, 7, 8);
  return failures;
}
