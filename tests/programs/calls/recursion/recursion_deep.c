/* Recursion as deep as the primal's stack allows: a gradient needs more stack for each level, and takes linear time. */
#include "../../check.h"
#include <sys/resource.h>

static long depth;
static char *deepest;

static void note(void) { deepest = __builtin_frame_address(0); }

NOINLINE static double used(const double *x, long n) {
  if (n == 0)
    return note(), x[0];
  double r = used(x, n - 1);
  return sin(r) * x[n & 1] + 0.5 * r;
}

NOINLINE static double summed(const double *x, long n) {
  if (n == 0)
    return note(), x[0];
  double r = summed(x, n - 1);
  return r * 0.999 + x[n & 1] * x[n & 1];
}

NOINLINE static void overwriting(double *state, const double *x, long n) {
  if (n == 0) {
    note();
    return;
  }
  state[0] = sin(state[0]) + x[n & 1];
  overwriting(state, x, n - 1);
  state[1] = state[1] * 0.9 + state[0] * x[1];
  state[0] = cos(state[0] + state[1]);
}

NOINLINE static double other(const double *x, long n);
NOINLINE static double one(const double *x, long n) { return n <= 0 ? (note(), x[1]) : 0.9 * sin(other(x, n - 1) + x[0]); }
NOINLINE static double other(const double *x, long n) { return n <= 0 ? (note(), x[0]) : x[1] * cos(one(x, n - 1)); }

typedef struct Cell {
  double value;
  struct Cell *next;
} Cell;

NOINLINE static double list(const Cell *cell) {
  if (!cell)
    return note(), 1;
  double r = list(cell->next);
  return r * cos(cell->value) + 0.3 * sin(r + cell->value);
}

static double run_used(double *x) { return used(x, depth); }
static double run_summed(double *x) { return summed(x, depth); }
static double run_mutual(double *x) { return one(x, depth); }
static double run_overwriting(double *x) {
  double state[2] = {x[0], x[1]};
  overwriting(state, x, depth);
  return state[0] + state[1];
}
static double run_list(double *x) {
  Cell *cells = malloc(depth * sizeof *cells);
  for (long i = 0; i < depth; i++)
    cells[i] = (Cell){x[i & 1], i + 1 < depth ? &cells[i + 1] : NULL};
  double r = list(cells);
  free(cells);
  return r;
}

/* Chooses a depth at which the primal takes seven eighths of the stack. */
static void choose_depth(double (*f)(double *)) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur > 64 << 20)
    limit.rlim_cur = 8 << 20;
  double x[2] = {0.9, 1.2};
  char *begin = __builtin_frame_address(0);
  depth = 1000;
  f(x);
  depth = depth * ((long)limit.rlim_cur / 8 * 7) / (begin - deepest + 1);
  printf("%ld levels\n", depth);
}

#define CHECK_DEEP(f)                                                                                                  \
  do {                                                                                                                 \
    choose_depth(f);                                                                                                   \
    CHECK(f, 0.9, 1.2);                                                                                      \
  } while (0)

int main(void) {
  CHECK_DEEP(run_used);
  CHECK_DEEP(run_summed);
  CHECK_DEEP(run_mutual);
  CHECK_DEEP(run_overwriting);
  CHECK_DEEP(run_list);
  return failures;
}
