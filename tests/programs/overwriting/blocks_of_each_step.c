/* Memory that each step of a loop allocates: what is read of it stays, though the next step writes what it has allocated.
 * Not so if a pointer is carried into the next step, or if the same step writes again. */
#include "../check.h"

enum { N = 4, STEPS = 3 };

static NOINLINE double table(const double *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += a[i] * a[j] * a[i];
  return sum;
}

static NOINLINE void fill(double *to, const double *x, int t) {
  for (int i = 0; i < N; i++)
    to[i] = sin(x[i] + t);
}

static double allocated(double *x) {
  double sum = 0;
  for (int t = 0; t < STEPS; t++) {
    double *block = malloc(N * sizeof *block);
    fill(block, x, t);
    sum += table(block, N);
    x[t] = cos(sum + x[t]);
    free(block);
  }
  return sum;
}

static double of_changing_size(double *x) {
  double sum = 0;
  for (int t = 0; t < STEPS; t++) {
    double block[N + t];
    for (int i = 0; i < N + t; i++)
      block[i] = x[i % N] * (i + t);
    sum += table(block, N + t);
    x[t] = cos(sum * 1e-2);
  }
  return sum;
}

static double written_again(double *x) {
  double sum = 0;
  for (int t = 0; t < STEPS; t++) {
    double *block = malloc(N * sizeof *block);
    fill(block, x, t);
    sum += table(block, N);
    block[t] = cos(sum);
    x[t] = sin(table(block, N));
    free(block);
  }
  return sum;
}

static double written_in_an_inner_loop(double *x) {
  double sum = 0;
  for (int t = 0; t < STEPS; t++) {
    double *block = malloc(N * sizeof *block);
    fill(block, x, t);
    for (double *p = block; p != block + N; p++) {
      sum += table(block, N) * *p;
      *p = cos(sum * 0.1);
    }
    x[t] = sin(sum * 0.1);
    free(block);
  }
  return sum;
}

/* the last step's block is written in this one, before the next block is there, and behind that */
static double carried(double *x) {
  double sum = 0, *last = NULL;
  for (int t = 0; t < STEPS; t++) {
    if (last)
      last[0] = 3 * x[0];
    double *block = malloc(N * sizeof *block);
    fill(block, x, t);
    sum += table(block, N) * (last ? table(last, N) : 1);
    if (last)
      last[1] = sum * 0.1, sum += table(last, N), free(last);
    x[t] = cos(sum);
    last = block;
  }
  free(last);
  return sum;
}

static double carried_in_memory(double *x) {
  double sum = 0, *kept[STEPS];
  for (int t = 0; t < STEPS; t++) {
    kept[t] = malloc(N * sizeof **kept);
    fill(kept[t], x, t);
    sum += table(kept[t], N) * kept[0][t];
    kept[0][1] = cos(sum);
  }
  for (int t = 0; t < STEPS; t++)
    free(kept[t]);
  return sum;
}

static double under_a_condition(double *x) {
  double sum = 0, *block = NULL, own[N] = {1, 2, 3, 4};
  for (int t = 0; t < STEPS; t++) {
    if (x[t] > 0)
      fill(block = malloc(N * sizeof *block), x, t);
    double *p = block ? block : own;
    sum += table(p, N);
    p[t] = x[t] = cos(sum + x[t]);
  }
  return sum;
}

static NOINLINE void give_back(double *block) { free(block); }

static double freed_by_a_function(double *x) {
  double sum = 0;
  for (int t = 0; t < STEPS; t++) {
    double *block = malloc(N * sizeof *block);
    fill(block, x, t);
    sum += table(block, N);
    x[t] = cos(sum + x[t]);
    give_back(block);
  }
  return sum;
}

static double resized(double *x) {
  double sum = 0, *block = malloc(N * sizeof *block);
  for (int t = 0; t < STEPS; t++) {
    block = realloc(block, (N + t) * sizeof *block);
    fill(block, x, t);
    sum += table(block, N);
    x[t] = cos(sum + x[t]);
  }
  free(block);
  return sum;
}

int main(void) {
  CHECK(allocated, 0.5, 1.2, 0.7, -0.4);
  CHECK(of_changing_size, 0.5, 1.2, 0.7, -0.4);
  CHECK(written_again, 0.5, 1.2, 0.7, -0.4);
  CHECK(written_in_an_inner_loop, 0.5, 1.2, 0.7, -0.4);
  CHECK(carried, 0.5, 1.2, 0.7, -0.4);
  CHECK(carried_in_memory, 0.5, 1.2, 0.7, -0.4);
  CHECK(under_a_condition, 0.5, 1.2, 0.7, -0.4);
  CHECK(freed_by_a_function, 0.5, 1.2, 0.7, -0.4);
  CHECK(resized, 0.5, 1.2, 0.7, -0.4);
  return failures;
}
