/* A struct is copied out of constant memory: the pointers in the copy still lead to constants, and nothing is added
 * there. In unions nothing but the bits tells pointers and numbers apart. */
#include "../check.h"

struct fit {
  double *weights, scale, more[30];
  int n;
};
NOINLINE static double apply(const struct fit *s) {
  double r = 0;
  for (int i = 0; i < s->n; i++)
    r += s->weights[i] * s->scale + s->more[i];
  return r;
}
static double of_struct(double *x, const struct fit *constant) {
  struct fit own = *constant;
  own.scale = x[0];
  return apply(&own) * x[1];
}

union either {
  double *many, one;
};
struct parts {
  union either part[4];
  int is_many[4];
};
NOINLINE static double total(const struct parts *p) {
  double r = 0;
  for (int i = 0; i < 4; i++)
    r += p->is_many[i] ? p->part[i].many[i] * 2 : p->part[i].one;
  return r;
}
static double of_union(double *x, const struct parts *constant) {
  struct parts own;
  memcpy(&own, constant, sizeof own);
  own.part[0].one = x[0];
  return total(&own) * x[1];
}

int main(void) {
  double w[4] = {1, 2, 3, 4}, x[2] = {2, 3}, dx[2] = {0};
  struct fit fit = {w, 1, {0.5}, 3};
  __enzyme_autodiff((void *)of_struct, x, dx, enzyme_const, &fit);
  SAME(dx[0], 18), SAME(dx[1], 12.5);
  struct parts parts = {{{.one = 1}, {.many = w}, {.many = w}, {.one = 5}}, {0, 1, 1, 0}};
  dx[0] = dx[1] = 0;
  __enzyme_autodiff((void *)of_union, x, dx, enzyme_const, &parts);
  SAME(dx[0], 3), SAME(dx[1], 17);
  double forward = __enzyme_fwddiff((void *)of_union, x, ((double[2]){1, 2}), enzyme_const, &parts);
  SAME(forward, 3 + 34);
  for (int i = 0; i < 4; i++)
    SAME(w[i], i + 1);
  return failures;
}
