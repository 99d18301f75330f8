/* Six parallel functions and their gradients: `threads NAME SECONDS` prints the time of one call of each, in seconds, and
 * `threads NAME 0` calls the gradient once, and prints a checksum (threads.py). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void count_begin(void), count_end(void); /* of the counting build */
#ifndef COUNTS
void count_begin(void) {}
void count_end(void) {}
#endif

enum { STENCIL = 600, BODIES = 1500, MATRIX = 280, ROWS = 60000, IN_ROW = 12, PATHS = 60000, LEAVES = 1 << 12 };

static double stencil(int n, const double *restrict start, double *restrict work) {
  double *now = work, *next = work + n * n, sum = 0;
  memcpy(now, start, (size_t)n * n * sizeof *now);
  memcpy(next, start, (size_t)n * n * sizeof *now);
  for (int step = 0; step < 6; step++) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = now[i * n + j] + 0.1 * sin(now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] +
                                                     now[i * n + j + 1] - 4 * now[i * n + j]);
    double *other = now;
    now = next;
    next = other;
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n * n; i++)
    sum += now[i] * now[i];
  return sum;
}

static double bodies(int n, const double *restrict place, double *restrict work) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double force[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
      double x = place[3 * j] - place[3 * i], y = place[3 * j + 1] - place[3 * i + 1],
             z = place[3 * j + 2] - place[3 * i + 2], d = x * x + y * y + z * z + 0.01, w = 1 / (d * sqrt(d));
      force[0] += w * x, force[1] += w * y, force[2] += w * z;
    }
    memcpy(work + 3 * i, force, sizeof force);
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 3 * n; i++)
    sum += work[i] * work[i];
  return sum / n;
}

static double product(int n, const double *restrict a, double *restrict c) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * a[k * n + j];
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n * n; i++)
    sum += c[i] * c[i];
  return sum / n;
}

static int first[ROWS + 1], column[ROWS * IN_ROW];
static double entry[ROWS * IN_ROW];
static double sparse(int n, const double *restrict x, double *restrict y) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
      row += entry[k] * x[column[k]] * x[column[k]];
    y[i] = row;
  }
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return sum / n;
}

static double paths(int n, const double *restrict market, double *restrict work) {
  double sum = 0;
  (void)work;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 256)
  for (int i = 0; i < n; i++) {
    unsigned seed = (unsigned)i * 2654435761u + 1;
    double price = market[0];
    for (int step = 0; step < 12; step++) {
      seed = seed * 1664525u + 1013904223u;
      double z = (seed >> 8) * (1.0 / (1 << 23)) - 1;
      price *= exp(market[1] + market[2] * z);
    }
    sum += price > market[3] ? price - market[3] : 0;
  }
  return sum / n;
}

static double tree_of(const double *x, int from, int count) {
  if (count <= 64) {
    double sum = 0;
    for (int i = from; i < from + count; i++)
      for (int k = 0; k < 40; k++)
        sum += sin(x[i] * (k + 1)) * x[i];
    return sum;
  }
  double left, right;
#pragma omp task shared(left)
  left = tree_of(x, from, count / 2);
#pragma omp task shared(right)
  right = tree_of(x, from + count / 2, count / 2);
#pragma omp taskwait
  return left * 0.5 + right * cos(left * 1e-3);
}
static double tree(int n, const double *x, double *work) {
  double result = 0;
  (void)work;
#pragma omp parallel
#pragma omp single
  result = tree_of(x, 0, n);
  return result;
}

typedef double function(int, const double *, double *);
static const struct {
  const char *name;
  function *f;
  int n, numbers, work;
} all[] = {{"stencil", stencil, STENCIL, STENCIL * STENCIL, 2 * STENCIL *STENCIL},
           {"bodies", bodies, BODIES, 3 * BODIES, 3 * BODIES},
           {"product", product, MATRIX, MATRIX *MATRIX, MATRIX *MATRIX},
           {"sparse", sparse, ROWS, ROWS, ROWS},
           {"paths", paths, PATHS, 4, 4},
           {"tree", tree, LEAVES, LEAVES, 4}};

static double *x, *dx, *work, *dwork;
static void gradient(int which) {
#define GRADIENT(K, F, N)                                                                                              \
  if (which == K)                                                                                                      \
    __enzyme_autodiff((void *)F, enzyme_const, N, enzyme_dup, x, dx, enzyme_dup, work, dwork);
  GRADIENT(0, stencil, STENCIL)
  GRADIENT(1, bodies, BODIES)
  GRADIENT(2, product, MATRIX)
  GRADIENT(3, sparse, ROWS)
  GRADIENT(4, paths, PATHS)
  GRADIENT(5, tree, LEAVES)
}

static double seconds(int which, int is_gradient, double total) {
  double least = INFINITY, begin = omp_get_wtime();
  for (int k = 0; k < 3 || omp_get_wtime() - begin < total; k++) {
    double from = omp_get_wtime();
    if (is_gradient)
      gradient(which);
    else
      all[which].f(all[which].n, x, work);
    double took = omp_get_wtime() - from;
    least = took < least ? took : least;
  }
  return least;
}

int main(int argc, char **argv) {
  int which = 0;
  while (argc != 3 || strcmp(all[which].name, argv[1]))
    if (argc != 3 || ++which == sizeof all / sizeof *all)
      return 2;
  x = calloc((size_t)all[which].numbers, sizeof *x), dx = calloc((size_t)all[which].numbers, sizeof *x);
  work = calloc((size_t)all[which].work, sizeof *x), dwork = calloc((size_t)all[which].work, sizeof *x);
  for (int i = 0; i < all[which].numbers; i++)
    x[i] = sin(i * 0.7) + 0.1 * (i % 3);
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < IN_ROW; k++)
      first[i + 1] = (i + 1) * IN_ROW, column[i * IN_ROW + k] = (i + k * k * 37) % ROWS, entry[i * IN_ROW + k] = 1.0 / (k + 1);
  if (!strcmp(all[which].name, "paths"))
    x[0] = 1, x[1] = 0.01, x[2] = 0.1, x[3] = 1.05;
  double total = atof(argv[2]);
  if (total > 0) {
    printf("%.6g", seconds(which, 0, total));
    printf(" %.6g\n", seconds(which, 1, total));
    return 0;
  }
  count_begin();
  gradient(which);
  count_end();
  double sum = 0;
  for (int i = 0; i < all[which].numbers; i++)
    sum += dx[i] * (i % 7 + 1);
  printf("%.12g\n", sum);
  return 0;
}
