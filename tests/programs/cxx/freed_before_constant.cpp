/* A vector that is an argument grows, so its memory is freed. Memory of a constant object then lies at the same address:
 * that is no other name of the argument. */
#include "../check.h"
#include <cstdlib>
#include <vector>

struct table {
  double *numbers;
  int size;
};
static table *tables[4];

NOINLINE static void fill(int k, int size) {
  double *numbers = (double *)malloc(sizeof(double) * size); // lies where x was
  tables[k] = (table *)malloc(sizeof(table));
  *tables[k] = {numbers, size};
  for (int i = 0; i < size; i++)
    tables[k]->numbers[i] = i + 1 + k;
}
static double f(std::vector<double> &x) {
  x.push_back(x[0] * x[1]);
  for (int k = 0; k < 4; k++)
    fill(k, 3);
  double sum = 0;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++)
      sum += tables[k]->numbers[i] * x[i + 1];
  return sum;
}

static void drop() {
  for (table *t : tables) {
    free(t->numbers);
    free(t);
  }
}

int main() {
  double tangent[] = {1, 2, 3}, found = 0;
  {
    std::vector<double> x{2, 3, 4}, dx{1, 2, 3};
    found = __enzyme_fwddiff((void *)f, &x, &dx);
  }
  drop();
  double expected = 10 * tangent[1] + 14 * tangent[2] + 18 * (3 * tangent[0] + 2 * tangent[1]);
  same("forward mode", 0, found, expected, 1e-14);
  std::vector<double> x{2, 3, 4}, dx(4); // with room, zero in dx: adjoints in memory that is freed are gone
  x.reserve(4);
  dx.resize(3);
  __enzyme_autodiff((void *)f, &x, &dx);
  drop();
  same("x0", 0, dx[0], 18 * 3, 1e-14);
  same("x1", 0, dx[1], 10 + 18 * 2, 1e-14);
  same("x2", 0, dx[2], 14, 1e-14);
  return failures;
}
