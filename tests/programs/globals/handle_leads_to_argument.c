/* A table behind a global holds the address of f's argument. Since f also writes behind that global, its memory has shadows
 * where it needs them: the pointer has that of the argument. */
#include "../check.h"

enum { N = 3 };
struct column {
  double *numbers, *work;
};
struct matrix {
  int width;
  struct column **columns;
};
static struct matrix *matrix;
static double other[N] = {1, 2, 3};

NOINLINE static double f(double *x) {
  double sum = 0;
  for (int k = 0; k < N; k++)
    matrix->columns[1]->work[k] = x[k] * x[k] * matrix->columns[0]->numbers[k];
  for (int k = 0; k < N; k++)
    sum += matrix->columns[1]->numbers[k] * matrix->columns[1]->work[k];
  return sum;
}

int main(void) {
  double *x = calloc(N, sizeof *x), dx[N] = {0}, tangent[N] = {0.5, -1, 2}, along = 0;
  struct column columns[] = {{other, NULL}, {x, malloc(N * sizeof *x)}}, *table[] = {&columns[0], &columns[1]};
  matrix = &(struct matrix){2, table};
  for (int k = 0; k < N; k++)
    x[k] = 0.5 + 0.2 * k;
  __enzyme_autodiff((void *)f, x, dx);
  for (int k = 0; k < N; k++) {
    same("numbers and work", k, dx[k], 3 * x[k] * x[k] * other[k], 1e-14);
    along += tangent[k] * dx[k];
  }
  same("forward mode", 0, __enzyme_fwddiff((void *)f, x, tangent), along, 1e-14);
  free(columns[1].work);
  free(x);
  return failures;
}
