/* Recursions with many calls whose whole tape would be long: parts of it are dropped and made again. */
#include "../../check.h"

enum { DEPTH = 19, LONGEST = 30000 };

/* a full tree */
NOINLINE static double tree(const double *x, int depth, int path) {
  if (!depth)
    return sin(x[path % 3]);
  double a = tree(x, depth - 1, path), b = tree(x, depth - 1, path + 1);
  return 0.5 * sin(a) + 0.3 * b * x[depth % 3];
}

static double run_tree(double *x) { return tree(x, DEPTH, 0); }

/* a long chain with a leaf at each place */
NOINLINE static double chain(const double *x, int length) {
  if (length <= 1)
    return cos(x[length]);
  double rest = chain(x, length - 1);
  return 0.9 * sin(rest) + x[length % 3] * chain(x, length & 1);
}

static double run_chain(double *x) { return chain(x, LONGEST); }

/* two functions that call each other, in loops whose number of iterations the primal decides */
static double odd(const double *x, int depth, double scale);

NOINLINE static double even(const double *x, int depth, double scale) {
  double sum = x[1] * scale;
  for (int k = 0; depth > 0 && k < 4 && sum > -9; k++)
    sum += 0.2 * odd(x, depth - 1, cos(scale + k));
  return sum;
}

NOINLINE static double odd(const double *x, int depth, double scale) {
  double product = x[0] + x[2] * scale;
  for (int k = 0; depth > 0 && k < 3; k++)
    product = 0.5 * product + 0.1 * even(x, depth - 1, scale * x[k]) * product;
  return product;
}

static double run_both(double *x) { return even(x, 9, 0.7); }

/* what the tree reads is overwritten: its tape must be kept */
static double run_overwritten(double *x) {
  double y = tree(x, DEPTH - 3, 0);
  x[0] = x[1] * y;
  x[2] = 0;
  return y * x[0];
}

/* two trees, and a result that both need */
static double run_twice(double *x) { return tree(x, DEPTH - 2, 0) * tree(x, DEPTH - 2, 1); }

/* the most memory that this process had; getrusage also counts what it was before it ran this program */
static long kilobytes(void) {
  char line[200];
  long found = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    sscanf(line, "VmHWM: %ld", &found);
  fclose(status);
  return found;
}

extern int enzyme_width;

int main(void) {
  double at[3] = {0.7, -0.4, 0.9}, dx[3] = {0};
  long before = kilobytes();
  __enzyme_autodiff((void *)run_tree, at, dx);
  same("memory is less", 0, kilobytes() - before < 25000, 1, 0);
  double again[3] = {0}, twice[3] = {0};
  __enzyme_autodiff((void *)run_tree, enzyme_width, 2, at, again, twice);
  for (int i = 0; i < 3; i++)
    SAME(again[i], dx[i]), SAME(twice[i], dx[i]);
  CHECK(run_tree, 0.7, -0.4, 0.9);
  CHECK(run_chain, 0.7, -0.4, 0.9);
  CHECK(run_both, 0.7, -0.4, 0.9);
  CHECK(run_overwritten, 0.7, -0.4, 0.9);
  CHECK(run_twice, 0.7, -0.4, 0.9);
  return failures;
}
