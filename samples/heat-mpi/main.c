/* The gradient of the misfit with respect to the whole initial field, computed by all ranks together: rank 0 prints some of
 * it, which is the same for any number of ranks, and compares it with central differences. */
#include "heat.h"
#include <enzyme/enzyme.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32, STEPS = 40 };

static double initial(int i, int j) { return 1 + 0.5 * sin(0.3 * i) * cos(0.2 * j); }
static double seen(int i, int j) { return 0.8 + 0.1 * cos(0.2 * (i - j)); }
static double total(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}

int main(int count, char **words) {
  int rank, size;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int first = rank * N / size, rows = (rank + 1) * N / size - first;
  struct part part = {N, rows, first, STEPS};
  double *start = malloc(rows * N * sizeof *start), *observed = malloc(rows * N * sizeof *observed);
  double *gradient = calloc(rows * N, sizeof *gradient), h = 1e-5, norm = 0, along = 0, differences = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < N; j++)
      start[i * N + j] = initial(first + i, j), observed[i * N + j] = seen(first + i, j);

  __enzyme_autodiff((void *)misfit, enzyme_dup, start, gradient, enzyme_const, observed, enzyme_const, &part);

  for (int i = 0; i < rows * N; i++)
    norm += gradient[i] * gradient[i], along += gradient[i] * seen(first + i / N, i % N);
  for (int sign = -1; sign <= 1; sign += 2) {
    for (int i = 0; i < rows * N; i++)
      start[i] = initial(first + i / N, i % N) + sign * h * seen(first + i / N, i % N);
    differences += sign * total(misfit(start, observed, &part)) / (2 * h);
  }
  norm = sqrt(total(norm)), along = total(along);
  int disagrees = fabs(along - differences) > 1e-6 * fabs(along);
  if (rank == 0) {
    printf("norm of the gradient %.10f, along a direction %.10f, by differences %.6f%s\n", norm, along, differences,
           disagrees ? " DISAGREES" : "");
    printf("its first numbers %.10f %.10f %.10f\n", gradient[0], gradient[1], gradient[N]);
  }
  MPI_Finalize();
  return disagrees;
}
