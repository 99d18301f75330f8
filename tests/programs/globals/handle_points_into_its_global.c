/* A handle in a static struct that other memory points back into: its block's pointers lead to the struct's own rows.
 * Pointers into the struct may be at any of its fields, so type analysis cannot tell these apart. The declared type can.
 */
#include "../check.h"
struct node { int index; double value; };
struct model { int n; struct node **points; double **coef; double *rho; };
struct fit { struct node nodes[4][2], *rows[4]; double values[2]; struct model *model; };
static struct fit before;
static NOINLINE double kernel(const struct node *x, const struct node *y) {
  double d = x->value - y->value, sum = d * d;
  return exp(-sum);
}
static NOINLINE double values(const struct model *m, const struct node *x, double *out) {
  double *coef = m->coef[0], sum = 0;
  for (int i = 0; i < m->n; i++) sum += coef[i] * kernel(x, m->points[i]);
  *out = sum;
  return sum;
}
static NOINLINE double predict(const struct model *m, const struct node *x) {
  double o, *out = &o;
  double r = values(m, x, out);
  return r;
}
static double outside(double *x) { struct node p[2] = {{1, x[0]}, {-1, 0}}; return predict(before.model, p); }

int main(void) {
  struct model *m = malloc(sizeof *m);
  m->n = 3; m->coef = malloc(sizeof(double *)); m->coef[0] = malloc(3 * sizeof(double)); m->rho = malloc(8); m->rho[0] = 0.2;
  m->points = malloc(3 * sizeof(struct node *));
  for (int i = 0; i < 3; i++) { m->coef[0][i] = 1 + i; before.nodes[i][0].index = 1; before.nodes[i][0].value = i; before.nodes[i][1].index = -1; 
    before.rows[i] = before.nodes[i]; m->points[i] = before.rows[i]; 
 }
  before.model = m;
  CHECK(outside, 0.7);
  return failures;
}
