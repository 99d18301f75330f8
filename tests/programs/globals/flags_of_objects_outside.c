/* A solver that main made keeps objects of two kinds behind void pointers. So the same words are numbers in one kind, and
 * in the other an address, a count, or the flag that a function returned: integers are stored there, and copied. */
#include "../check.h"

enum { N = 3 };
struct object {
  void *content;
  int (*setup)(struct object *, double **);
  void (*solve)(struct object *, double **, double *);
  void (*copy)(struct object *, struct object *);
};
struct eliminated {
  long n, *pivots, flag, solved;
};
struct relaxed {
  double factor, change, before;
  long solved;
};
static struct solver {
  struct object *elimination, *kept, *relaxation;
  double *right, **columns;
} *solver;

/* LU factors in place; the flag is the number of a column without a pivot */
static long factor(double **a, long n, long *pivots) {
  for (long k = 0; k < n; k++) {
    long p = k;
    for (long i = k + 1; i < n; i++)
      p = fabs(a[k][i]) > fabs(a[k][p]) ? i : p;
    pivots[k] = p;
    if (a[k][p] == 0)
      return k + 1;
    for (long j = 0; j < n; j++) {
      double t = a[j][p];
      a[j][p] = a[j][k], a[j][k] = t;
    }
    for (long i = k + 1; i < n; i++)
      a[k][i] /= a[k][k];
    for (long j = k + 1; j < n; j++)
      for (long i = k + 1; i < n; i++)
        a[j][i] -= a[j][k] * a[k][i];
  }
  return 0;
}
static int setup_elimination(struct object *o, double **a) {
  struct eliminated *e = o->content;
  e->flag = factor(a, e->n, e->pivots);
  return e->flag > 0;
}
static void eliminate(struct object *o, double **a, double *b) {
  struct eliminated *e = o->content;
  for (long k = 0; k < e->n; k++) {
    double t = b[e->pivots[k]];
    b[e->pivots[k]] = b[k], b[k] = t;
  }
  for (long k = 0; k < e->n; k++)
    for (long i = k + 1; i < e->n; i++)
      b[i] -= a[k][i] * b[k];
  for (long k = e->n - 1; k >= 0; k--) {
    b[k] /= a[k][k];
    for (long i = 0; i < k; i++)
      b[i] -= a[k][i] * b[k];
  }
  e->solved++;
}
static void copy_elimination(struct object *from, struct object *to) {
  struct eliminated *a = from->content, *b = to->content;
  b->flag = a->flag, b->solved = a->solved > b->solved ? a->solved : b->solved;
  for (long k = 0; k < a->n; k++)
    b->pivots[k] = a->pivots[k];
}
static int setup_relaxation(struct object *o, double **a) {
  struct relaxed *r = o->content;
  r->factor = 1 / a[0][0];
  return r->factor == 0;
}
static void relax(struct object *o, double **a, double *b) {
  struct relaxed *r = o->content;
  r->before = b[0];
  b[0] = (b[0] - a[1][0] * b[1]) * r->factor;
  r->change = b[0] - r->before;
  b[1] += r->change * r->factor;
  r->solved++;
}
static void copy_relaxation(struct object *from, struct object *to) {
  struct relaxed *a = from->content, *b = to->content;
  b->factor = a->factor, b->change = a->change;
}

static double f(double *x) {
  struct solver *s = solver;
  double sum = 0;
  for (int turn = 0; turn < 3; turn++) {
    for (int k = 0; k < N; k++) {
      for (int i = 0; i < N; i++)
        s->columns[k][i] = cos(x[(i + k) % N] * (k + 1)) + (i == k) * (turn + 2);
      s->right[k] = x[k] * x[0];
    }
    struct object *used = turn == 1 ? s->relaxation : s->elimination;
    if (used->setup(used, s->columns))
      return -1;
    if (turn != 1)
      used->copy(used, s->kept), used = s->kept;
    used->solve(used, s->columns, s->right);
    for (int k = 0; k < N; k++)
      sum += s->right[k] * s->right[k] * (k + 1);
  }
  return sum;
}

static struct object *make_elimination(long n) {
  struct object *o = malloc(sizeof *o);
  struct eliminated *e = o->content = malloc(sizeof *e);
  *e = (struct eliminated){n, malloc(n * sizeof *e->pivots), 0, 0};
  o->setup = setup_elimination, o->solve = eliminate, o->copy = copy_elimination;
  return o;
}
static struct object *make_relaxation(void) {
  struct object *o = malloc(sizeof *o);
  o->content = calloc(1, sizeof(struct relaxed));
  o->setup = setup_relaxation, o->solve = relax, o->copy = copy_relaxation;
  return o;
}
int main(void) {
  solver = malloc(sizeof *solver);
  solver->elimination = make_elimination(N), solver->kept = make_elimination(N), solver->relaxation = make_relaxation();
  solver->right = calloc(N, sizeof(double)), solver->columns = malloc(N * sizeof(double *));
  for (int k = 0; k < N; k++)
    solver->columns[k] = calloc(N, sizeof(double));
  for (int round = 0; round < 2; round++)
    CHECK(f, 0.7, 1.3, 0.4);
  return failures;
}
