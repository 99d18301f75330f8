/* Second derivatives where first ones are zero, through memory that holds numbers or pointers: nothing is lost. */
#include "../check.h"

struct expression {
  int is_product;
  union {
    double number;
    struct {
      const struct expression *left, *right;
    } pair;
  } u;
};
NOINLINE static double value(const struct expression *e) {
  return e->is_product ? value(e->u.pair.left) * value(e->u.pair.right) : e->u.number;
}
static double product(const double *x) {
  struct expression a = {0, {x[0]}}, b = {0, {x[1]}}, c = {.is_product = 1, .u.pair = {&a, &b}};
  struct expression *tree = malloc(3 * sizeof *tree);
  tree[0] = a, tree[1] = b, tree[2] = c;
  tree[2].u.pair.left = tree, tree[2].u.pair.right = tree + 1;
  double result = value(tree + 2);
  free(tree);
  return result;
}
static void gradient_of_product(const double *x, double *dx) { __enzyme_autodiff((void *)product, enzyme_dup, x, dx); }

union cell {
  double number;
  union cell *next;
};
static double cells(const double *x, int n) { /* the same place holds a number or a pointer */
  union cell cells[8];
  double result = 1;
  for (int i = 0; i < n; i++) {
    if (n > 4)
      cells[i].next = &cells[0];
    else
      cells[i].number = x[i];
  }
  for (int i = 0; i < n; i++)
    result *= n > 4 ? cells[i].next->number : cells[i].number;
  return result;
}
static void gradient_of_cells(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)cells, enzyme_dup, x, dx, enzyme_const, n);
}

union small {
  float number;
  union small *next;
};
static float floats(const float *x, int n) {
  union small cells[8];
  float result = 1;
  for (int i = 0; i < n; i++) {
    if (n > 4)
      cells[i].next = &cells[0];
    else
      cells[i].number = x[i];
  }
  for (int i = 0; i < n; i++)
    result *= n > 4 ? cells[i].next->number : cells[i].number;
  return result;
}
static void gradient_of_floats(const float *x, float *dx, int n) {
  __enzyme_autodiff((void *)floats, enzyme_dup, x, dx, enzyme_const, n);
}

int main(void) {
  double x[2] = {0, 0}, v[2] = {1, 0}, dx[2] = {0}, h[2] = {0};
  __enzyme_fwddiff((void *)gradient_of_product, enzyme_dup, x, v, enzyme_dup, dx, h);
  same("a tree", 0, h[0], 0, 0);
  same("a tree", 1, h[1], 1, 0);
  memset(dx, 0, sizeof dx), memset(h, 0, sizeof h);
  __enzyme_fwddiff((void *)gradient_of_cells, enzyme_dup, x, v, enzyme_dup, dx, h, enzyme_const, 2);
  same("cells", 0, h[0], 0, 0);
  same("cells", 1, h[1], 1, 0);
  float y[2] = {0, 0}, w[2] = {1, 0}, dy[2] = {0}, second[2] = {0};
  __enzyme_fwddiff((void *)gradient_of_floats, enzyme_dup, y, w, enzyme_dup, dy, second, enzyme_const, 2);
  same("floats", 0, second[0], 0, 0);
  same("floats", 1, second[1], 1, 0);
  return failures;
}
