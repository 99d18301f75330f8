/* A table behind a global holds the address of what a component of f's argument points at. f also writes behind that
 * global: its memory has shadows, and the pointer there has that of the component. */
#include "../check.h"

enum { N = 3 };
struct column {
  double *numbers, *work;
};
struct model {
  double scale, *weights;
};
static struct column **columns;
static double other[N] = {1, 2, 3};

NOINLINE static double f(struct model *model) {
  double sum = 0;
  for (int k = 0; k < N; k++)
    columns[1]->work[k] = model->scale * columns[1]->numbers[k] * columns[0]->numbers[k];
  for (int k = 0; k < N; k++)
    sum += model->weights[k] * columns[1]->work[k];
  return sum;
}

int main(void) {
  double *x = calloc(N, sizeof *x), dx[N] = {0}, tangent[N] = {0.5, -1, 2}, along = 0;
  struct column both[] = {{other, NULL}, {x, malloc(N * sizeof *x)}}, *table[] = {&both[0], &both[1]};
  struct model model = {2, x}, shadow = {0, dx}, direction = {0, tangent};
  columns = table;
  for (int k = 0; k < N; k++)
    x[k] = 0.5 + 0.2 * k;
  __enzyme_autodiff((void *)f, &model, &shadow);
  for (int k = 0; k < N; k++) {
    same("weights", k, dx[k], 4 * x[k] * other[k], 1e-14);
    along += tangent[k] * dx[k];
  }
  same("forward mode", 0, __enzyme_fwddiff((void *)f, &model, &direction), along, 1e-14);
  free(both[1].work);
  free(x);
  return failures;
}
