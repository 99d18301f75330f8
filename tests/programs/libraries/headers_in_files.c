/* Integers and numbers of one size in one file, and structs of both: what is read back has its derivative. Some integers
 * are only compared, so that little tells what they are. */
#include "../check.h"
#include <string.h>

enum { N = 4 };
struct body {
  int id;
  double mass;
  float charge;
  int kind;
};

NOINLINE static double sizes(double *x) {
  FILE *file = tmpfile();
  long count = N, read = 0;
  double squares[N], found[N], sum = 0;
  for (int k = 0; k < N; k++)
    squares[k] = x[k] * x[k];
  fwrite(&count, sizeof count, 1, file);
  fwrite(squares, sizeof *squares, N, file);
  rewind(file);
  if (fread(&read, sizeof read, 1, file) != 1 || fread(found, sizeof *found, (size_t)read, file) != N)
    abort();
  fclose(file);
  for (int k = 0; k < N; k++)
    sum += found[k] * k;
  return sum;
}

NOINLINE static double bodies(double *x) {
  FILE *file = tmpfile();
  struct body bodies[N], found[N];
  double sum = 0;
  int count = N, read = 0;
  memset(bodies, 0, sizeof bodies);
  for (int k = 0; k < N; k++)
    bodies[k] = (struct body){k + 1, x[k] * x[0], 0.5F, k & 1};
  fwrite(&count, sizeof count, 1, file);
  fwrite(bodies, sizeof *bodies, N, file);
  rewind(file);
  if (fread(&read, sizeof read, 1, file) != 1 || fread(found, sizeof *found, (size_t)read, file) != N)
    abort();
  fclose(file);
  for (int k = 0; k < read; k++)
    sum += found[k].mass * found[k].id * (found[k].kind ? found[k].charge : 1);
  return sum;
}

static void compare(const char *what, const double *dx, double along, const double *tangent, const double *expected) {
  double sum = 0;
  for (int k = 0; k < N; k++) {
    same(what, k, dx[k], expected[k], 1e-14);
    sum += tangent[k] * expected[k];
  }
  same("forward mode", 0, along, sum, 1e-14);
}

int main(void) {
  double x[N] = {0.5, 0.7, 1.1, 1.3}, tangent[N] = {1, -2, 0.5, 3}, of_sizes[N] = {0}, of_bodies[N] = {0};
  __enzyme_autodiff((void *)sizes, x, of_sizes);
  compare("sizes", of_sizes, __enzyme_fwddiff((void *)sizes, x, tangent), tangent, (double[]){0, 1.4, 4.4, 7.8});
  __enzyme_autodiff((void *)bodies, x, of_bodies);
  double expected[] = {1 + 0.7 + 3 * 1.1 + 2 * 1.3, 0.5, 1.5, 1};
  compare("bodies", of_bodies, __enzyme_fwddiff((void *)bodies, x, tangent), tangent, expected);
  return failures;
}
