/* expect: points at memory that carries a derivative under another name
 * A table behind a global, of which f only reads, holds the address of f's argument. */
#include "../check.h"

struct column {
  double *numbers;
};
struct matrix {
  int width;
  struct column **columns;
};
static struct matrix *matrix;

NOINLINE static double f(double *x) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += matrix->columns[1]->numbers[k] * x[k];
  return sum;
}

int main(void) {
  double x[] = {0.5, 0.7, 0.9}, dx[3] = {0}, others[] = {1, 2, 3};
  struct column columns[] = {{others}, {x}}, *table[] = {&columns[0], &columns[1]};
  matrix = &(struct matrix){2, table};
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
