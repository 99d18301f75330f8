/* Handles with work space that main made: the function stores numbers there and reads them back, as the solvers of
 * libraries do. What main stored there before is constant. */
#include "../check.h"

struct solver {
  double *state, *next, scale;
  float *history;
  double **rows;
  int n;
};
static struct solver *solver, *other;

static struct solver *make(int n) {
  struct solver *s = calloc(1, sizeof *s);
  s->n = n, s->scale = 0.5;
  s->state = malloc(n * sizeof(double)), s->next = malloc(n * sizeof(double));
  s->history = calloc(n, sizeof(float));
  s->rows = malloc(n * sizeof *s->rows);
  for (int i = 0; i < n; i++) {
    s->rows[i] = malloc(n * sizeof(double));
    s->state[i] = 0.1 * i, s->next[i] = 1;
    for (int k = 0; k < n; k++)
      s->rows[i][k] = 1 + i - 0.5 * k;
  }
  return s;
}

NOINLINE static void begin(struct solver *s, double *x) {
  for (int i = 0; i < s->n; i++)
    s->state[i] += x[0] * sin(x[1] * i); /* what was there is constant */
  s->scale = x[2];
}
NOINLINE static void step(struct solver *s) {
  for (int i = 0; i < s->n; i++)
    s->next[i] = s->state[i] + s->scale * (s->state[(i + 1) % s->n] - s->state[i]) * s->state[i];
  double *other = s->next;
  s->next = s->state, s->state = other;
}
static double steps(double *x) {
  double s = 0;
  begin(solver, x);
  for (int t = 0; t < 4; t++)
    step(solver);
  for (int i = 0; i < solver->n; i++)
    s += solver->state[i] * solver->state[i];
  for (int i = 0; i < solver->n; i++) /* as main left it, for the differences */
    solver->state[i] = 0.1 * i, solver->next[i] = 1;
  return s;
}

/* an elimination in rows of main; memcpy of a row, memset, floats, a number in the handle itself */
NOINLINE static void fill(struct solver *s, const double *x) {
  for (int i = 0; i < s->n; i++) {
    memset(s->rows[i], 0, s->n * sizeof(double));
    for (int k = 0; k < s->n; k++)
      s->rows[i][k] += cos(x[(i + k) % 3] * (k + 1)) + (i == k ? 3 : 0);
  }
}
static double eliminated(double *x) {
  struct solver *s = solver;
  fill(s, x);
  double d = 1, kept[64];
  for (int k = 0; k < s->n; k++) {
    for (int i = k + 1; i < s->n; i++) {
      double m = s->rows[i][k] / s->rows[k][k];
      for (int j = k; j < s->n; j++)
        s->rows[i][j] -= m * s->rows[k][j];
    }
    d *= s->rows[k][k];
  }
  memcpy(kept, s->rows[1], s->n * sizeof *kept);           /* out of it */
  memcpy(s->next, kept, s->n * sizeof *kept);              /* into it */
  memcpy(other->state, s->next, s->n * sizeof *kept);      /* from one to another */
  memmove(s->next + 1, s->next, (s->n - 1) * sizeof *kept); /* within it */
  return d * 1e-3 + other->state[2] * s->next[2] + kept[3];
}
#define IN_FLOATS(NAME, T, HISTORY)                                                                                    \
  static T NAME(T *x) {                                                                                                \
    for (int i = 0; i < solver->n; i++)                                                                                \
      solver->HISTORY[i] = x[0] * i * x[1];                                                                            \
    T s = 0;                                                                                                           \
    for (int i = 0; i < solver->n; i++)                                                                                \
      s += solver->HISTORY[i] * solver->HISTORY[i] * x[2];                                                             \
    return s;                                                                                                          \
  }
IN_FLOATS(in_floats, float, history)
IN_FLOATS(in_doubles, double, next)

/* a number, then a constant at the same place; a number that is only left there */
static double overwritten(double *x) {
  solver->scale = x[0];
  double s = solver->scale * x[1];
  solver->scale = 3;
  s += solver->scale * x[2];
  solver->next[0] = s;
  return s * solver->scale;
}
/* what the request before left is constant */
static double left_before(double *x) { return solver->next[0] * x[0] + solver->scale * x[1] * x[2]; }

/* work space grows, and is freed and made again */
NOINLINE static void reserve(struct solver *s, int n) {
  s->state = realloc(s->state, n * sizeof(double));
  free(s->next);
  s->next = malloc(n * sizeof(double));
  for (int i = s->n; i < n; i++)
    s->state[i] = s->state[i - s->n];
  s->n = n;
}
static double grown(double *x) {
  struct solver *s = other;
  int n = s->n;
  for (int i = 0; i < n; i++)
    s->state[i] = x[i % 3] * i;
  reserve(s, n + 90);
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    s->next[i] = s->state[i] * x[0], sum += s->next[i] * 0.01;
  s->n = n;
  return sum;
}

/* a struct with numbers and a pointer is copied into the handle, and out of it */
struct record {
  double a;
  double *p;
  double b;
};
static struct record *record;
NOINLINE static void put(struct record *to, const struct record *from) { *to = *from; }
static double in_records(double *x) {
  struct record own = {x[0] * x[1], x, x[2]}, back;
  put(&record[1], &own);
  put(&record[0], &record[1]);
  put(&back, &record[0]);
  return back.a * back.p[0] + back.b * record[0].p[1];
}

/* what a library function stores, and an atomic sum */
static double by_calls(double *x) {
  solver->scale = solver->next[1] = 1;
  double f = modf(x[0] * 10, &solver->scale);
  __atomic_fetch_add(&solver->next[1], x[1], __ATOMIC_RELAXED);
  return solver->next[1] * x[2] + f * f + solver->scale;
}

/* blocks of a pool that main made hold numbers at one time and pointers at another */
struct pool {
  void *blocks[2];
  int n;
};
static struct pool *pool;
NOINLINE static void *take(struct pool *p, int k) {
  memset(p->blocks[k], 0, p->n * sizeof(double));
  return p->blocks[k];
}
static double in_pool(double *x) {
  double s = 0;
  for (int round = 0; round < 4; round++) {
    double *a = take(pool, round % 2);
    for (int i = 0; i < pool->n; i++)
      a[i] += x[i % 3] * (i + round);
    for (int i = 1; i < pool->n; i++)
      s += a[i] * a[i - 1];
    memset(&a[3], 0, sizeof *a); /* one word */
    a[3] += x[0] * round;
    s += a[3] * a[4];
    double **p = take(pool, (round + 1) % 2);
    for (int i = 0; i < pool->n; i++)
      p[i] = &x[i % 3];
    for (int i = 0; i < pool->n; i++)
      s += *p[i] * i;
  }
  return s;
}

int main(int argc, char **argv) {
  pool = malloc(argc * sizeof *pool), pool->n = argc + 60;
  for (int k = 0; k < 2; k++)
    pool->blocks[k] = argv ? calloc(70, sizeof(double)) : NULL;
  solver = make(argc + 6), other = make(argc + 6), record = calloc(2, sizeof *record);
  if (!argv)
    solver = other = NULL;
  for (int round = 0; round < 2; round++) {
    CHECK(steps, 0.7, 0.3, 0.04);
    CHECK(eliminated, 0.7, 1.3, 0.4);
    CHECK(overwritten, 0.7, 1.3, 0.4);
    CHECK(left_before, 0.7, 1.3, 0.4);
    CHECK_FLOAT(in_floats, in_doubles, 0.7, 1.3, 0.4);
    CHECK(grown, 0.7, 1.3, 0.4);
    CHECK(in_records, 0.7, 1.3, 0.4);
    CHECK(by_calls, 0.72, 1.3, 0.4);
    CHECK(in_pool, 0.7, 1.3, 0.4);
  }
  return failures;
}
