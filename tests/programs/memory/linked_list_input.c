/* A list of the caller's, with a list of shadows beside it. */
#include "../check.h"

struct node {
  double v;
  struct node *next;
};

static double walk(struct node *n) {
  double s = 1;
  for (; n; n = n->next) {
    s = s * n->v + sin(n->v);
    n->v = s;
  }
  return s;
}
static double twin(double *x) {
  double s = 1;
  for (int i = 0; i < 4; i++)
    s = s * x[i] + sin(x[i]);
  return s;
}

int main(void) {
  double x[] = {1.1, 0.5, -1.3, 0.4};
  struct node list[4], shadow[4];
  for (int i = 0; i < 4; i++) {
    list[i] = (struct node){x[i], i < 3 ? &list[i + 1] : NULL};
    shadow[i] = (struct node){0, i < 3 ? &shadow[i + 1] : NULL};
  }
  __enzyme_autodiff((void *)walk, list, shadow);
  for (int i = 0; i < 4; i++)
    same("walk", i, shadow[i].v, check_difference(twin, x, 4, i), 1e-7);
  SAME(list[3].v, twin(x));
  return failures;
}
