/* Reverse mode with several seeds in one pass: the whole Jacobian of a function with several results. */
#include "../check.h"

extern int enzyme_width, enzyme_dupv;
enum { N = 3 };
typedef struct {
  double d[N];
} three;
extern three __enzyme_autodiff_three(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);

struct node {
  double value;
  struct node *next;
};

static double state[2];
NOINLINE static double *place(double *v, int i) { return &v[i % N]; }
NOINLINE static double sum(const struct node *n) { return n ? n->value * n->value + sum(n->next) : 0; }
NOINLINE static void turn(double *v, double w) {
  double first = v[0];
  for (int i = 0; i + 1 < N; i++)
    v[i] = v[i + 1] * w + v[i];
  v[N - 1] = first * first;
}

static void run(const double *x, double *y, double w) {
  struct node *list = NULL;
  double *v = NULL, t = x[0];
  int n = 0;
  while (t < 4) {
    v = realloc(v, (n + N) * sizeof *v);
    v[n++] = t;
    t = t * x[1] + v[n / 2] * w;
  }
  memset(v + n, 0, (N - 1) * sizeof *v);
  for (int i = 0; i < 4; i++) {
    struct node *made = malloc(sizeof *made);
    *made = (struct node){sin(v[i % n]) * x[2], list};
    list = made;
    turn(v, w);
  }
  state[0] = v[0];
  y[0] = sum(list) + state[0];
  memcpy(y + 1, v, sizeof *y);
  *place(y, 2) = y[0] * v[1] + *place(v, 4);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  free(v);
}

static double product(double a, double b) { return a * b * b; }

static void differentiate(double *x, double w, double (*jacobian)[N], double *by_w) {
  for (int k = 0; k < N; k++) {
    double y[N], dy[N] = {0};
    dy[k] = 1;
    by_w[k] = __enzyme_autodiff((void *)run, x, jacobian[k], y, dy, w);
  }
}

int main(void) {
  double x[N] = {0.5, 1.2, 0.7}, w = 0.3, y[N], want[N][N] = {{0}}, want_w[N], got[N][N] = {{0}};
  differentiate(x, w, want, want_w);
  double dy[N][N] = {{1}, {0, 1}, {0, 0, 1}};
  three by_w = __enzyme_autodiff_three((void *)run, enzyme_width, N, enzyme_dup, x, got[0], got[1], got[2], enzyme_dup, y,
                                       dy[0], dy[1], dy[2], w);
  for (int k = 0; k < N; k++) {
    same("by w", k, by_w.d[k], want_w[k], 1e-14);
    for (int i = 0; i < N; i++)
      same("shadows", i, got[k][i], want[k][i], 1e-14), same("seeds are gone", i, dy[k][i], 0, 0);
  }
  double again[N][N] = {{0}}, seeds[N][N] = {{1}, {0, 1}, {0, 0, 1}};
  by_w = __enzyme_autodiff_three((void *)run, enzyme_width, N, enzyme_dupv, sizeof *again, x, again, enzyme_dupv,
                                 sizeof *seeds, y, seeds, w);
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      same("stride", i, again[k][i], want[k][i], 1e-14);

  /* the result's adjoint begins with one in each direction */
  three d = __enzyme_autodiff_three((void *)product, enzyme_width, N, 2.0, enzyme_const, 3.0);
  for (int k = 0; k < N; k++)
    same("scalar", k, d.d[k], 9, 0);
  return failures;
}
