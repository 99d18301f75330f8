/* Several directions at once, split mode, checkpointed time steps, and functions of which only one side has numbers with
 * derivatives. */
#include "check_mpi.h"
#include <enzyme/checkpoint.h>
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static double around(const double *x) { /* messages by requests, by blocking calls, and to all */
  double a[2] = {x[0] * x[1], x[1]}, b[2], c[2], d;
  MPI_Request r[2];
  MPI_Irecv(b, 2, MPI_DOUBLE, LAST, 1, WORLD, &r[0]);
  MPI_Isend(a, 2, MPI_DOUBLE, NEXT, 1, WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(b, 2, MPI_DOUBLE, NEXT, 1, c, 2, MPI_DOUBLE, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&c[0], &d, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  return d * c[1] * b[0];
}
static void result(const double *x, double *y) { *y = around(x), y[1] = 2 * y[0] * x[0]; }

static void check_directions(void) {
  double x[2] = {0.4 + 0.1 * rank, 0.9}, g[2] = {0}, g1[2] = {0}, g2[2] = {0}, y[2], s1[2] = {1, 0}, s2[2] = {0, 1};
  __enzyme_autodiff((void *)around, x, g);
  __enzyme_autodiff((void *)result, enzyme_width, 2, enzyme_dup, x, g1, g2, enzyme_dup, y, s1, s2);
  double all = sum_of(fabs(g1[0] - g[0]) + fabs(g1[1] - g[1]));
  expect("two directions", "reverse", all, 0);
  double v1[2] = {1, 0}, v2[2] = {0, 1}, t1[2] = {0}, t2[2] = {0}, want1 = 0;
  __enzyme_fwddiff((void *)result, enzyme_width, 2, enzyme_dup, x, v1, v2, enzyme_dup, y, t1, t2);
  __enzyme_autodiff((void *)around, x, (memset(g, 0, sizeof g), g));
  want1 = sum_of(g[0]);
  expect("two directions", "forward", sum_of(t1[0]), want1);
  expect("two directions", "forward", sum_of(t2[0]), sum_of(g[1]));
}
static void check_split(void) {
  double x[2] = {0.4 + 0.1 * rank, 0.9}, g[2] = {0}, want[2] = {0};
  void *tape = __enzyme_augmentfwd((void *)around, enzyme_dup, x, g);
  __enzyme_reverse((void *)around, enzyme_dup, x, g, 1.0, tape);
  __enzyme_autodiff((void *)around, x, want);
  expect("split", "reverse", sum_of(g[0] + 3 * g[1]), sum_of(want[0] + 3 * want[1]));
}

/* Only rank 0 has a derivative to send, and only the last one has one to receive; the functions differ. */
static __attribute__((noinline)) void give(double a) { MPI_Send(&a, 1, MPI_DOUBLE, size - 1, 2, WORLD); }
static __attribute__((noinline)) double take(void) {
  double b;
  MPI_Recv(&b, 1, MPI_DOUBLE, 0, 2, WORLD, MPI_STATUS_IGNORE);
  return b;
}
static double one_way(const double *x) {
  double s = x[1];
  if (size == 1)
    return s;
  if (rank == 0)
    give(x[0] * x[0]);
  if (rank == size - 1)
    s *= take() + 1;
  if (rank == 0)
    give(3); /* a constant, for one who takes numbers with derivatives */
  if (rank == size - 1)
    s *= take();
  if (rank == 0)
    give(x[1] * x[1]); /* for one who does not use it */
  if (rank == size - 1 && take() > 100)
    printf("never\n");
  return s;
}

/* recomputed steps exchange again */
struct state { double u[4]; };
static void step(struct state *s, const int *unused, long t) {
  double v[2], *u = s->u;
  (void)unused, (void)t;
  MPI_Sendrecv(&u[0], 2, MPI_DOUBLE, NEXT, 1, &u[2], 2, MPI_DOUBLE, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  v[0] = u[0] + 0.1 * sin(u[3]), v[1] = u[1] + 0.1 * u[0] * u[2];
  u[0] = v[0], u[1] = v[1];
}
ENZYME_CHECKPOINTED(simulate, step, struct state, const int, 3)
static double steps(const double *x) {
  struct state s = {{x[0], x[1], 0, 0}};
  int unused = 0;
  simulate(&s, sizeof s, &unused, 10);
  return s.u[0] * s.u[1];
}

static double own_communicators(const double *x) { /* made and freed inside */
  double s = x[0], t;
  for (int i = 0; i < 2; i++) {
    MPI_Comm copy;
    MPI_Comm_dup(WORLD, &copy);
    MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, copy);
    MPI_Sendrecv_replace(&t, 1, MPI_DOUBLE, NEXT, 0, LAST, 0, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    s = t * x[1];
  }
  return s;
}

int main(int count, char **words) {
  begin(&count, &words);
  check_directions();
  check_split();
  CHECK(around, 2);
  CHECK(one_way, 2);
  CHECK(steps, 2);
  CHECK(own_communicators, 2);
  return end();
}
