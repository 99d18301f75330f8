/* Several directions in one pass, by shadows one after the other or at a stride. */
#include "../check.h"

extern int enzyme_width, enzyme_dupv;
typedef struct {
  double d[4];
} four;
typedef struct {
  double value, d[4];
} value_and_four;
extern four __enzyme_fwddiff_four(void *, ...);
extern value_and_four __enzyme_fwddiff_value(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);

struct node {
  double value;
  struct node *next;
};

static double run(double *x, double w) {
  struct node *list = NULL;
  for (int i = 0; i < 4; i++) {
    struct node *n = malloc(sizeof *n);
    *n = (struct node){sin(x[i]) * w, list};
    list = n;
  }
  double s = 1;
  while (list) {
    struct node *n = list;
    s = s * n->value + exp(n->value);
    list = n->next;
    free(n);
  }
  x[0] = s * x[1];
  return s;
}

int main(void) {
  double at[4] = {0.5, 1.2, 0.7, -0.3}, x[4], e[4][4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}, want[4], left[4];
  for (int k = 0; k < 4; k++) {
    double v[4] = {0};
    v[k] = 1;
    memcpy(x, at, sizeof x);
    want[k] = __enzyme_fwddiff((void *)run, x, v, 1.5, 0.1 * k);
    left[k] = v[0];
  }
  memcpy(x, at, sizeof x);
  four got = __enzyme_fwddiff_four((void *)run, enzyme_width, 4, enzyme_dup, x, e[0], e[1], e[2], e[3], 1.5, 0.0, 0.1,
                                   0.2, 0.30000000000000004);
  for (int k = 0; k < 4; k++)
    same("shadows", k, got.d[k], want[k], 1e-15), same("left", k, e[k][0], left[k], 1e-15);

  double f[4][4] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}};
  memcpy(x, at, sizeof x);
  value_and_four all = __enzyme_fwddiff_value((void *)run, enzyme_width, 4, enzyme_primal_return, enzyme_dupv,
                                              sizeof f[0], x, f, enzyme_const, 1.5);
  for (int k = 0; k < 4; k++)
    same("stride", k, f[k][0], e[k][0] - (got.d[k] - all.d[k]) * at[1], 1e-14);
  memcpy(x, at, sizeof x);
  SAME(all.value, run(x, 1.5));
  return failures;
}
