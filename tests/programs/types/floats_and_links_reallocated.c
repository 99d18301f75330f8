/* A block that holds a float or a link in each word grows by realloc; the same table has memory of the caller. */
#include "../check.h"

union word {
  float number;
  union word *link;
};

static void *table[2];

NOINLINE static union word *block(int k) { return table[k]; }

NOINLINE static union word *grown(union word *words, int n) { return realloc(words, n * sizeof *words); }

static double run(double *x) {
  table[0] = x;
  table[1] = calloc(2, sizeof(union word));
  block(1)[0].number = (float)(x[0] * x[1]);
  block(1)[1].link = NULL;
  table[1] = grown(block(1), 8);
  block(1)[1].link = block(1);
  block(1)[2].number = block(1)[1].link->number * 3;
  double value = block(1)[2].number * x[1];
  free(block(1));
  return value;
}

int main(void) {
  double x[] = {0.5, 1.25}, dx[] = {0, 0}, forward[] = {1, 0}, way[] = {1, 2};
  __enzyme_autodiff((void *)run, x, dx);
  SAME(dx[0], 3 * x[1] * x[1]);
  SAME(dx[1], 6 * x[0] * x[1]);
  SAME(__enzyme_fwddiff((void *)run, x, forward), dx[0]);
  SAME(__enzyme_fwddiff((void *)run, x, way), dx[0] + 2 * dx[1]);
  return failures;
}
