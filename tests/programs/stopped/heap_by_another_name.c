/* expect: heap_by_another_name.c:9:9: a number that carries a derivative is stored in memory without a shadow
 * The address of a heap block is stored in other memory too: reads through it would count as constant. */
#include "../check.h"

static double *work;
static struct table { double *numbers; } *table;

static double f(double *x) {
  *work = x[0] * x[1];
  return *work + table->numbers[0];
}

int main(void) {
  double x[] = {0.5, 0.7}, dx[2] = {0};
  work = malloc(3 * sizeof *work);
  table = malloc(sizeof *table);
  table->numbers = work;
  __enzyme_autodiff((void *)f, x, dx);
  return 0;
}
