/* An operand that only the run knows to be constant: its shadow is the memory itself. Another is a constant table.
 * flags: -lopenblas */
#include "../../check.h"

extern int enzyme_runtime_activity;
typedef const char *C;
typedef const int *I;
typedef const double *X;
extern void dgemm_(C, C, I, I, I, X, X, I, X, I, X, double *, I);

struct matrices {
  double *a, *b, *c;
};
static double table[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static double f(struct matrices *h, int of_table) {
  int n = 3;
  double one = 1, zero = 0, s = 0;
  dgemm_("N", "N", &n, &n, &n, &one, of_table ? table : h->a, &n, h->b, &n, &zero, h->c, &n);
  for (int i = 0; i < 9; i++)
    s += h->c[i] * h->c[i];
  return s;
}

int main(void) {
  double a[9], b[9], c[9], da[9] = {0}, db[9] = {0}, dc[9] = {0};
  for (int i = 0; i < 9; i++)
    a[i] = sin(i), b[i] = cos(i);
  struct matrices h = {a, b, c}, constant = {a, db, dc}, active = {da, db, dc};
  for (int of_table = 0; of_table < 2; of_table++)
    for (int is_active = 0; is_active < 2; is_active++) {
      memset(da, 0, sizeof da), memset(db, 0, sizeof db), memset(dc, 0, sizeof dc);
      __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, &h, is_active ? &active : &constant, enzyme_const,
                        of_table);
      double by_b = db[1], by_a = da[1], step = 1e-6;
      b[1] += step;
      double up = f(&h, of_table);
      b[1] -= 2 * step;
      double down = f(&h, of_table);
      b[1] += step;
      same("by b", 1, by_b, (up - down) / (2 * step), 1e-7);
      a[1] += step;
      up = f(&h, of_table);
      a[1] -= 2 * step;
      down = f(&h, of_table);
      a[1] += step;
      same("by a", 1, by_a, is_active ? (up - down) / (2 * step) : 0, 1e-7);
      same("a itself", 1, a[1], sin(1), 1e-12);
    }
  return failures;
}
