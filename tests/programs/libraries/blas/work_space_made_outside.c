/* Routines that are given memory which the program made before: work space behind a constant argument, or the constant
 * argument itself. The runtime keeps the shadows of numbers there in blocks, and lends them to the routines.
 * flags: -lopenblas -lm */
#include "../../check.h"
#include <cblas.h>

enum { N = 30 }; /* matrices lie in several blocks */
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
extern int enzyme_width;
struct two {
  double by[2];
};
extern struct two __enzyme_fwddiff_two(void *, ...);

struct solver {
  int n, *pivots;
  double *a, *b, *c, *right, factor;
};
static struct solver *make(int n) {
  struct solver *s = malloc(sizeof *s);
  double *memory = malloc((3 * n * n + n) * sizeof *memory);
  s->n = n, s->pivots = malloc(n * sizeof(int)), s->factor = 0.5;
  s->a = memory, s->b = memory + n * n, s->c = memory + 2 * n * n, s->right = memory + 3 * n * n;
  for (int i = 0; i < n * n; i++) s->a[i] = 0, s->b[i] = i % 5 * 0.1 + (i % (n + 1) == 0), s->c[i] = i;
  return s;
}

/* constant, written and read matrices in one block; a matrix that is passed twice; a factor behind the argument */
static double by_solver(struct solver *s, double *x) {
  int n = s->n, one = 1, info;
  for (int i = 0; i < n * n; i++) s->a[i] = x[i % 3] * sin(i) + x[i / n % 3] * 0.1;
  s->factor = x[0];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, s->factor, s->a, n, s->b, n, 0, s->c, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, n, 0.1, s->c, n, s->c, n, s->factor, s->a, n);
  for (int i = 0; i < n; i++) s->a[i * (n + 1)] += 8, s->right[i] = x[i % 3];
  dgesv_(&n, &one, s->a, &n, s->pivots, s->right, &n, &info);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * s->right[i] * x[i % 3] + s->a[i * n + i / 2] * 1e-2;
  return sum;
}
static struct solver *kept;
static double by_kept(double *x) { return by_solver(kept, x); }
static double by_new(double *x) { return by_solver(make(N), x); }

/* only the routine writes there */
static double by_argument(double *result, const double *x) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, x, 2, x, 2, 0, result, 2);
  return result[0] * result[1] + result[2] + result[3];
}
static double by_local(const double *x) {
  double result[4];
  return by_argument(result, x);
}

int main(void) {
  double x[3] = {0.3, -1.2, 0.7}, v[3] = {1, 0, 2}, w[3] = {0, 1, -1}, wanted[3] = {0}, dx[3] = {0}, by[2] = {0, 0};
  kept = make(N);
  CHECK(by_new, 0.3, -1.2, 0.7);
  CHECK(by_kept, 0.3, -1.2, 0.7);
  __enzyme_autodiff((void *)by_new, x, wanted);
  __enzyme_autodiff((void *)by_solver, enzyme_const, kept, x, dx);
  for (int i = 0; i < 3; i++) {
    SAME(dx[i], wanted[i]);
    by[0] += wanted[i] * v[i], by[1] += wanted[i] * w[i];
  }
  struct two along = __enzyme_fwddiff_two((void *)by_solver, enzyme_width, 2, enzyme_const, kept, x, v, w);
  SAME(along.by[0], by[0]);
  SAME(along.by[1], by[1]);

  double y[4] = {0.3, -1.2, 0.7, 1.1}, result[4], local[4] = {0}, argument[4] = {0};
  __enzyme_autodiff((void *)by_local, y, local);
  __enzyme_autodiff((void *)by_argument, enzyme_const, result, y, argument);
  for (int i = 0; i < 4; i++) SAME(argument[i], local[i]);
  return failures;
}
