/* A table with arrays that are zero behind their first elements, beside pointers: LLVM gives such arrays packed structs
 * as types, and the variable has a shadow. */
#include "../check.h"

typedef double (*rule)(double x, double scale);
typedef struct {
  int n, kinds[20], sizes[20];
  double scale;
  rule evaluate;
} table;

static NOINLINE double power(double x, double scale) { return scale * x * x; }
static NOINLINE double wave(double x, double scale) { return scale * sin(x); }

static table tables[2] = {{2, {1, 2}, {3, 4}, 2, power}, {1, {3, 1}, {1}, 1, wave}};

static double f(double *x) {
  double sum = 0;
  for (int t = 0; t < 2; t++) {
    tables[t].scale = x[t] * x[0];
    for (int k = 0; k < tables[t].n; k++)
      sum += tables[t].kinds[k] * tables[t].evaluate(x[1], tables[t].scale);
  }
  tables[0].evaluate = sum > 100 ? wave : power;
  return sum;
}

int main(void) {
  CHECK(f, 1.5, 0.7);
  return failures;
}
