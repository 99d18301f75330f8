/* Newton's method for the heights of a membrane, with a sparse Hessian, and conjugate gradients for each step. */
#include "membrane.h"

#include <enzyme/enzyme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void gradient(const double *height, double *result, int side) {
  __enzyme_autodiff((void *)energy, enzyme_dup, height, result, enzyme_const, side);
}

static struct enzyme_triplets hessian(const double *height, double *scratch, int side) {
  int n = side * side;
  struct enzyme_triplets matrix;
  __enzyme_fwddiff((void *)gradient, enzyme_sparse, &matrix, enzyme_symmetric, enzyme_dup, height, n, enzyme_dup, scratch,
                   n, enzyme_const, side);
  return matrix;
}

static void multiply(const struct enzyme_triplets *a, const double *x, double *y, int n) {
  memset(y, 0, n * sizeof *y);
  for (unsigned long k = 0; k < a->count; k++)
    y[a->rows[k]] += a->values[k] * x[a->columns[k]];
}

static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* Solves A step = b by conjugate gradients. `work` has room for 3n numbers. */
static void solve(const struct enzyme_triplets *a, const double *b, double *step, double *work, int n) {
  double *residual = work, *direction = work + n, *image = work + 2 * n;
  memset(step, 0, n * sizeof *step);
  memcpy(residual, b, n * sizeof *b);
  memcpy(direction, b, n * sizeof *b);
  double size = dot(b, b, n), first = size;
  for (int k = 0; k < n && size > 1e-20 * first; k++) {
    multiply(a, direction, image, n);
    double by = size / dot(direction, image, n), before = size;
    for (int i = 0; i < n; i++) {
      step[i] += by * direction[i];
      residual[i] -= by * image[i];
    }
    size = dot(residual, residual, n);
    for (int i = 0; i < n; i++)
      direction[i] = residual[i] + size / before * direction[i];
  }
}

/* Returns the largest difference between the matrix and differences of the gradient, for one direction. */
static double error_of(const struct enzyme_triplets *a, double *height, int side) {
  int n = side * side;
  double *memory = calloc(4 * n, sizeof *memory), *v = memory, *image = v + n, *up = v + 2 * n, *down = v + 3 * n;
  double h = 1e-5, worst = 0;
  for (int i = 0; i < n; i++)
    v[i] = sin(i);
  multiply(a, v, image, n);
  for (int i = 0; i < n; i++)
    height[i] += h * v[i];
  gradient(height, up, side);
  for (int i = 0; i < n; i++)
    height[i] -= 2 * h * v[i];
  gradient(height, down, side);
  for (int i = 0; i < n; i++) {
    height[i] += h * v[i];
    worst = fmax(worst, fabs((up[i] - down[i]) / (2 * h) - image[i]));
  }
  free(memory);
  return worst;
}

static double seconds(clock_t since) { return (double)(clock() - since) / CLOCKS_PER_SEC; }

int main(int argc, char **argv) {
  int side = argc > 1 ? atoi(argv[1]) : 100, n = side * side;
  double *height = calloc(n, sizeof *height), *slope = calloc(n, sizeof *slope), *step = calloc(n, sizeof *step);
  double *work = calloc(3 * n, sizeof *work), size = 1;
  int status = 0;
  printf("%d unknowns\nstep  |gradient|  entries  groups  Hessian takes\n", n);
  for (int k = 0; k < 20 && size > 1e-12; k++) {
    memset(slope, 0, n * sizeof *slope);
    gradient(height, slope, side);
    size = sqrt(dot(slope, slope, n));
    clock_t start = clock();
    struct enzyme_triplets matrix = hessian(height, work, side);
    double taken = seconds(start), error = error_of(&matrix, height, side);
    printf("%4d  %.4e  %7lu  %6lu  %.4f s\n", k, size, matrix.count, matrix.groups, taken);
    if (!(error < 1e-5)) {
      printf("DISAGREES with differences by %g\n", error);
      status = 1;
    }
    solve(&matrix, slope, step, work, n);
    for (int i = 0; i < n; i++)
      height[i] -= step[i];
    free(matrix.rows);
    free(matrix.columns);
    free(matrix.values);
  }
  printf("the middle is at %.6f\n", height[side / 2 * side + side / 2]);
  free(height);
  free(slope);
  free(step);
  free(work);
  return status || size > 1e-10;
}
