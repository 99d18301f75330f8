/* expect: points at memory that carries a derivative under another name
 * A constant table holds the address of one row of f's argument. Forward mode. */
#include "../check.h"

NOINLINE static double f(double **rows, double **table) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += rows[k][0] * table[1][k];
  return sum;
}

int main(void) {
  double x[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, dx[3][3] = {{1}, {1}, {1}}, other[3] = {1, 1, 1};
  double *rows[] = {x[0], x[1], x[2]}, *shadows[] = {dx[0], dx[1], dx[2]}, *table[] = {other, x[2]};
  __enzyme_fwddiff((void *)f, rows, shadows, enzyme_const, table);
  return 0;
}
