/* qsort and qsort_r of numbers, of structs by a key, of pointers; lookups by bsearch. */
#define _GNU_SOURCE
#include "../check.h"

struct item {
  int id;
  double key, weight;
  const char *name;
};

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int by_key(const void *a, const void *b) { return by_value(&((const struct item *)a)->key, &((const struct item *)b)->key); }

static int by_target(const void *a, const void *b) { return by_value(*(double *const *)a, *(double *const *)b); }

static int by_rank(const void *a, const void *b, void *ranks) {
  return ((const int *)ranks)[*(const int *)a] - ((const int *)ranks)[*(const int *)b];
}

static int by_distance(const void *a, const void *b, void *center) {
  double x = fabs(*(const double *)a - *(double *)center), y = fabs(*(const double *)b - *(double *)center);
  return (x > y) - (x < y);
}

static double numbers(double *x) {
  double a[5] = {x[0] * x[1], x[1], x[2] * x[2], 0.3, x[2]}, s = 0;
  qsort(a, 5, sizeof *a, by_value);
  for (int i = 0; i < 5; i++)
    s += a[i] * a[i] * (i + 1);
  qsort_r(a, 4, sizeof *a, by_distance, &a[4]);
  return s + a[0] * a[1] * x[0];
}

static double median(double *x) {
  int n = 7;
  double *a = malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = x[i % 3] * (i - 2.5);
  qsort(a, (size_t)n, sizeof *a, by_value);
  double m = a[n / 2] * a[n - 1];
  free(a);
  return m;
}

static double structs(double *x) {
  struct item items[4];
  for (int i = 0; i < 4; i++)
    items[i] = (struct item){i, x[i % 3] * (3 - i), x[(i + 1) % 3], i & 1 ? "odd" : "even"};
  qsort(items, 4, sizeof *items, by_key);
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += items[i].key * items[i].weight * (i + 1) * (items[i].id + 1) + (items[i].name[0] == 'o' ? items[i].key : 0);
  return s;
}

static double pointers(double *x) {
  double *order[3] = {&x[0], &x[1], &x[2]};
  int index[3] = {2, 0, 1}, ranks[3] = {1, 2, 0};
  qsort(order, 3, sizeof *order, by_target);
  qsort_r(index, 3, sizeof *index, by_rank, ranks);
  return *order[0] * 3 + *order[1] * *order[2] + x[index[0]] * x[index[1]];
}

static double searched(double *x) {
  struct item items[3] = {{0, 1, x[0], "a"}, {1, 2, x[1] * x[2], "b"}, {2, 3, x[2], "c"}}, wanted = {.key = 2};
  struct item *found = bsearch(&wanted, items, 3, sizeof *items, by_key);
  wanted.key = 9;
  found->weight *= x[0];
  return found->weight * items[1].weight + (bsearch(&wanted, items, 3, sizeof *items, by_key) ? 0 : x[1]);
}

int main(void) {
  CHECK(numbers, 0.5, 1.2, -0.7);
  CHECK(median, 0.5, 1.2, -0.7);
  CHECK(structs, 0.5, 1.2, -0.7);
  CHECK(pointers, 0.5, 1.2, -0.7);
  CHECK(searched, 0.5, 1.2, -0.7);
  return failures;
}
