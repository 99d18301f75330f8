/* expect: differentiated code calls memfrob, which cannot be differentiated [EZ0310]
 * The requested function itself calls a function without bitcode and rule, under a condition: its derivative is right
 * where the program does not make that call. */
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
extern void *memfrob(void *, size_t);

double f(double *x, int is_hidden) {
  double table[4] = {x[0], x[1]};
  if (is_hidden)
    memfrob(table, sizeof table);
  return table[0] * table[1] * x[2];
}

int main(void) {
  double x[] = {3, 2, 5}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx, 0);
  if (dx[0] != 10 || dx[1] != 15 || dx[2] != 6)
    return 0;
  __enzyme_autodiff((void *)f, x, dx, 1);
  return 0;
}
