/* Collective calls between two groups: with a root, without, of lists, weighted, by requests; the communicator is made
 * outside, or by the function. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define T double
#define MT MPI_DOUBLE
static MPI_Comm local, both;
static int side, mine, others, place; /* the group; its ranks and those of the other one; the rank in it */
/* what rank `r` of group `g` passes as the root */
static int root_of(int g, int r) { return side != g ? r : place == r ? MPI_ROOT : MPI_PROC_NULL; }

static double rooted(const double *x) {
  T a[2] = {x[0] * x[1], x[1]}, b[2] = {x[0], 1}, all[8] = {0}; double s = 0;
  for (int g = 0; g < 2; g++) {
    int root = root_of(g, 0);
    MPI_Bcast(a, 2, MT, root, both);
    MPI_Reduce(a, b, 2, MT, MPI_SUM, root, both);
    s += b[0] * b[1] * x[0];
    a[0] += b[1];
    MPI_Gather(b, 2, MT, all, 2, MT, root, both);
    for (int i = 1; i < 8; i++) all[i] += 0.1 * all[i - 1];
    MPI_Scatter(all, 1, MT, b + 1, 1, MT, root, both);
    s += b[0] * b[1];
  }
  return s + a[0] * a[1];
}
static double listed(const double *x) { /* counts and places at the root alone */
  T a[4], all[16] = {0}; double s = 0;
  int n = place + 1;
  for (int i = 0; i < 4; i++) a[i] = x[i % 2] * (i + 1);
  for (int g = 0; g < 2; g++) {
    int root = root_of(g, 0), counts[4], places[4], at = 1;
    for (int i = 0; i < others; at += counts[i++]) counts[i] = i + 1, places[i] = at;
    int is_root = root == MPI_ROOT;
    MPI_Gatherv(a, n, MT, is_root ? all : 0, is_root ? counts : 0, is_root ? places : 0, MT, root, both);
    for (int i = 1; i < 16; i++) all[i] = sin(all[i]) + 0.1 * all[i - 1];
    MPI_Scatterv(is_root ? all : 0, is_root ? counts : 0, is_root ? places : 0, MT, a, n, MT, root, both);
    for (int i = 0; i < 4; i++) s += a[i] * a[i] * (i + 1) + all[i] * x[0];
  }
  return s;
}
static double mutual(const double *x) {
  T a[4], b[4] = {0}, all[16] = {0}; double s = 0;
  for (int i = 0; i < 4; i++) a[i] = x[i % 2] * (i + 1) + 0.1 * rank;
  MPI_Allreduce(a, b, 2, MT, MPI_SUM, both);
  MPI_Barrier(both);
  MPI_Allgather(b, 2, MT, all, 2, MT, both);
  for (int i = 0; i < 2 * others; i++) s += all[i] * all[(i + 1) % (2 * others)] * x[0];
  MPI_Alltoall(a, 1, MT, b, 1, MT, both);
  for (int i = 0; i < others; i++) s += b[i] * b[i] * (i + 1);
  T many[16], few[8];
  for (int i = 0; i < 16; i++) many[i] = a[i % 4] * a[(i + rank) % 4] * 0.1;
  MPI_Reduce_scatter_block(many, few, others, MT, MPI_SUM, both);
  for (int i = 0; i < others; i++) s += few[i] * few[i] * b[0];
  return s;
}
static double weighted(const double *x) {
  struct { double value; int index; } l = {x[0] * x[1], rank}, m = {0, 0};
  T a[2] = {x[0], 0.5 + x[1]}, b[2] = {0}, c[2] = {0}, d[2] = {0};
  MPI_Allreduce(a, b, 2, MT, MPI_PROD, both);
  MPI_Allreduce(b, c, 2, MT, MPI_MAX, both);
  MPI_Reduce(a, d, 2, MT, MPI_MIN, root_of(1, 0), both);
  MPI_Allreduce(&l, &m, 1, MPI_DOUBLE_INT, MPI_MAXLOC, both);
  return b[0] * c[1] + c[0] + d[0] * d[1] * a[0] + m.value * m.value * (m.index + 1);
}
static double requested(const double *x) {
  MPI_Request r[5]; T e[2] = {x[1], sin(x[0])}, a[2] = {x[0] * x[1], x[1]}, b[2] = {0}, c[8] = {0}, d[4] = {0}; double s = 0;
  MPI_Iallreduce(a, b, 2, MT, MPI_SUM, both, &r[0]);
  MPI_Iallgather(a, 2, MT, c, 2, MT, both, &r[1]);
  MPI_Ireduce(a, d, 2, MT, MPI_SUM, root_of(0, 0), both, &r[2]);
  MPI_Ialltoall(c, 0, MT, d, 0, MT, both, &r[3]);
  MPI_Ibcast(e, 2, MT, root_of(1, 0), both, &r[4]);
  MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2 * others; i++) s += c[i] * b[i % 2] * (i + 1);
  return s + e[0] * e[1] * d[0] + d[1] * x[0];
}
static double made_inside(const double *x) { /* messages and calls over a communicator that the function makes */
  MPI_Comm c; double a = x[0] * x[0], b = 0, s; int tag = 0;
  MPI_Intercomm_create(local, 0, WORLD, side ? 0 : size > 1, 5, &c);
  MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, c);
  s = b * x[1];
  if (place == 0) {
    MPI_Sendrecv(&s, 1, MPI_DOUBLE, 0, 1, &a, 1, MPI_DOUBLE, 0, 1, c, MPI_STATUS_IGNORE);
    s += a * a;
  }
  MPI_Bcast(&tag, 1, MPI_INT, root_of(0, 0), c); /* integers */
  MPI_Comm_free(&c);
  return s;
}
int main(int count, char **words) {
  begin(&count, &words);
  if (size == 1) return end();
  side = rank % 2;
  MPI_Comm_split(WORLD, side, rank, &local);
  MPI_Intercomm_create(local, 0, WORLD, 1 - side, 1, &both);
  MPI_Comm_size(local, &mine), MPI_Comm_rank(local, &place), MPI_Comm_remote_size(both, &others);
  CHECK(rooted, 2);
  CHECK(listed, 2);
  CHECK(mutual, 2);
  CHECK(weighted, 2);
  CHECK(requested, 2);
  CHECK(made_inside, 2);
  MPI_Comm_free(&both), MPI_Comm_free(&local);
  return end();
}
