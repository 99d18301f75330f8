/* Collective calls that a request waits for, in any order of waiting, and calls between neighbours. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)
enum { N = 4, RANKS = 8 };

static double begun(const double *x) { /* all are under way at once; ranks wait in different orders */
  double a[N], b[N], c[N * RANKS] = {0}, d[N], e[N * RANKS] = {0}, s = 0;
  MPI_Request r[5];
  int even = rank % 2 == 0;
  for (int i = 0; i < N; i++)
    a[i] = x[0] * x[1] + i * x[0], d[i] = rank == 0 ? sin(x[1]) * i : 0;
  MPI_Iallreduce(a, b, N, MPI_DOUBLE, MPI_SUM, WORLD, &r[0]);
  MPI_Igather(a, N, MPI_DOUBLE, c, N, MPI_DOUBLE, size - 1, WORLD, &r[1]);
  MPI_Ibcast(d, N, MPI_DOUBLE, 0, WORLD, &r[2]);
  MPI_Iallgather(a, N, MPI_DOUBLE, e, N, MPI_DOUBLE, WORLD, &r[3]);
  MPI_Ibarrier(WORLD, &r[4]);
  if (even)
    MPI_Sendrecv(x, 1, MPI_DOUBLE, rank, 1, &s, 1, MPI_DOUBLE, rank, 1, WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r[even ? 1 : 2], MPI_STATUS_IGNORE);
  MPI_Wait(&r[even ? 2 : 1], MPI_STATUS_IGNORE);
  MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < N; i++)
    s += b[i] * d[i] * (i + 1);
  for (int i = 0; i < N * RANKS; i++)
    s += (c[i] * c[i] + e[i] * e[i] * (rank + 1)) * (i + 1) * 0.1;
  return s;
}

static double around_blocking(const double *x) { /* blocking calls and messages between begin and wait */
  double a = x[0] * x[0], b = 0, c = x[1] * (rank + 1), d = 0, e = x[0] * x[1];
  MPI_Request r, q;
  if (rank == 1)
    MPI_Recv(&d, 1, MPI_DOUBLE, 0, 3, WORLD, MPI_STATUS_IGNORE);
  MPI_Iallreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, WORLD, &r);
  if (rank == 0 && size > 1)
    MPI_Send(&e, 1, MPI_DOUBLE, 1, 3, WORLD);
  if (rank % 2)
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Bcast(&c, 1, MPI_DOUBLE, size - 1, WORLD);
  MPI_Ireduce(&c, &d, 1, MPI_DOUBLE, MPI_SUM, 0, WORLD, &q);
  MPI_Allreduce(MPI_IN_PLACE, &e, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  if (rank % 2 == 0)
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  return b * b + c * d + e * e * b;
}

static double operations(const double *x) { /* all ranks' numbers are needed for these */
  double a[2] = {x[0] * (1 + rank % 2), x[1]}, b[2], c[2] = {x[1] - 2 * rank, x[0]}, s;
  struct { double v; int i; } p = {x[0] * x[1] * (3 - rank), rank}, q;
  MPI_Request r[3];
  MPI_Iallreduce(a, b, 2, MPI_DOUBLE, MPI_PROD, WORLD, &r[0]);
  MPI_Iallreduce(MPI_IN_PLACE, c, 2, MPI_DOUBLE, MPI_MAX, WORLD, &r[1]);
  MPI_Iallreduce(&p, &q, 1, MPI_DOUBLE_INT, MPI_MINLOC, WORLD, &r[2]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  s = b[0] * b[1] + c[0] * c[0] + c[1] * (rank + 1) + q.v * q.v * (1 + q.i);
  MPI_Iscan(a, b, 2, MPI_DOUBLE, MPI_PROD, WORLD, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Scan(MPI_IN_PLACE, a, 2, MPI_DOUBLE, MPI_MAX, WORLD);
  c[0] = x[0], c[1] = x[1];
  MPI_Exscan(MPI_IN_PLACE, c, 2, MPI_DOUBLE, MPI_PROD, WORLD);
  return s + b[0] * b[1] * (rank + 1) + a[0] * a[1] + c[0] * c[1] * a[0];
}

static double scattered(const double *x) { /* counts of their own, and types of their own */
  double a[N * RANKS], b[N * RANKS] = {0}, c[N * RANKS] = {0}, s = 0;
  int counts[RANKS], places[RANKS], total = 0, bytes[RANKS], own = 1 + rank % 3, owns[RANKS];
  MPI_Datatype types[RANKS];
  MPI_Request r;
  for (int i = 0; i < size; i++) {
    counts[i] = 1 + i % 3, places[i] = total, total += counts[i];
    bytes[i] = 8 * i * 3, owns[i] = own, types[i] = MPI_DOUBLE;
  }
  for (int i = 0; i < N * RANKS; i++)
    a[i] = x[0] * i + x[1] * x[1] * (rank + 1);
  MPI_Iscatterv(a, counts, places, MPI_DOUBLE, b, own, MPI_DOUBLE, size / 2, WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Iallgatherv(b, own, MPI_DOUBLE, c, counts, places, MPI_DOUBLE, WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < total; i++)
    a[i] = c[i] * c[i] + b[0] * i;
  MPI_Igatherv(a, own, MPI_DOUBLE, c, counts, places, MPI_DOUBLE, 0, WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  s = c[0] * c[own];
  MPI_Alltoallw(a, counts, bytes, types, b, owns, bytes, types, WORLD);
  for (int i = 0; i < size; i++)
    s += b[3 * i] * b[3 * i + own - 1] * (i + 1) * 0.01;
  MPI_Ialltoallw(b, owns, bytes, types, a, counts, bytes, types, WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Ireduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < own; i++)
    s += b[i] * b[i] * 0.01 + a[i];
  return s;
}

static MPI_Comm line, torus, graph;
static double between_neighbors(const double *x) {
  double a[4] = {x[0], x[1] * x[0], x[1], x[0] * x[0]}, b[4] = {0}, c[8] = {0}, d[4] = {0.5, 0.5, 0.5, 0.5}, s = 0;
  MPI_Request r;
  MPI_Neighbor_alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, torus);
  MPI_Neighbor_allgather(a, 2, MPI_DOUBLE, d, 2, MPI_DOUBLE, line); /* some have no neighbour */
  MPI_Ineighbor_allgather(b, 2, MPI_DOUBLE, c, 2, MPI_DOUBLE, torus, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; i++)
    s += (b[i] * b[i] + c[i] * c[i] * c[3 - i] + d[i] * d[i]) * (i + 1);
  MPI_Aint places[2] = {8, 0};
  MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
  int counts[2] = {1, 1}, back[2] = {1, 1};
  MPI_Neighbor_alltoallw(a, counts, places, types, b, back, places, types, torus);
  s += b[0] * b[1];
  /* on two ranks, both neighbours are the same: which message is whose may differ from the call without a request */
  MPI_Ineighbor_alltoallw(a, counts, places, types, b, back, places, types, torus, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Ineighbor_alltoall(a, 2, MPI_DOUBLE, c, 2, MPI_DOUBLE, torus, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return s + b[0] * b[0] * b[1] + c[0] * c[1] * c[1];
}
static double over_a_graph(const double *x) { /* from the last to the next: one way */
  double a[2] = {x[0] * x[1], x[0]}, b[2] = {0};
  MPI_Neighbor_alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, graph);
  return b[0] * b[1];
}

int main(int count, char **words) {
  begin(&count, &words);
  int last = LAST, next = NEXT;
  MPI_Cart_create(WORLD, 1, &size, (int[]){0}, 0, &line);
  MPI_Cart_create(WORLD, 1, &size, (int[]){1}, 0, &torus);
  MPI_Dist_graph_create_adjacent(WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  CHECK(begun, 2);
  CHECK(around_blocking, 2);
  CHECK(operations, 2);
  CHECK(scattered, 2);
  CHECK(between_neighbors, 2);
  CHECK(over_a_graph, 2);
  MPI_Comm_free(&line), MPI_Comm_free(&torus), MPI_Comm_free(&graph);
  return end();
}
