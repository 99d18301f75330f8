/* expect: list_leads_to_argument.c:13:12: a pointer from memory without a shadow points at memory that carries
 * The nodes of a constant list hold the addresses of numbers, which f changes through them. */
#include "../check.h"

struct node {
  struct node *next;
  double *value;
};

NOINLINE static void scale(struct node *list, double *x, double *y) {
  y[0] = x[0] * x[1];
  for (; list; list = list->next)
    *list->value = 2;
  y[1] = x[0] * x[1];
}

int main(void) {
  double x[] = {0.5, 0.7}, dx[2] = {0}, y[2], dy[2] = {1, 1};
  struct node first = {NULL, x + 1}, list = {&first, (double[]){3}};
  __enzyme_autodiff((void *)scale, enzyme_const, &list, x, dx, y, dy);
  return 0;
}
