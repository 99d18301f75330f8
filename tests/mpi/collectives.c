/* Collective calls, in place and not. */
#include "check_mpi.h"
#include <complex.h>
#define WORLD MPI_COMM_WORLD

static double broadcast(const double *x) {
  double b[2] = {x[0] * x[1], sin(x[0])};
  MPI_Bcast(b, 2, MPI_DOUBLE, size - 1, WORLD);
  return b[0] * b[1] * x[0];
}
static double sums(const double *x) {
  double a[2] = {x[0] * x[1], sin(x[0])}, b[2] = {x[1], x[1]}, c[2], d[2] = {x[0], x[1] * x[1]}, e[2] = {x[0], 2 * x[1]};
  MPI_Reduce(a, b, 2, MPI_DOUBLE, MPI_SUM, size - 1, WORLD);
  MPI_Allreduce(a, c, 2, MPI_DOUBLE, MPI_SUM, WORLD);
  MPI_Allreduce(MPI_IN_PLACE, d, 2, MPI_DOUBLE, MPI_SUM, WORLD);
  if (rank == 0)
    MPI_Reduce(MPI_IN_PLACE, e, 2, MPI_DOUBLE, MPI_SUM, 0, WORLD);
  else
    MPI_Reduce(e, NULL, 2, MPI_DOUBLE, MPI_SUM, 0, WORLD);
  return b[0] * b[1] + c[0] * c[1] * x[0] + d[0] * d[1] + e[0] * e[1];
}
static double extremes(const double *x) {
  double a[3] = {x[0] * (rank == 1 ? -1 : 1), x[1], sin(x[2])}, b[3], c[3], p[3];
  struct { double value; int place; } own = {x[0] * x[1], rank}, least, most;
  MPI_Allreduce(a, b, 3, MPI_DOUBLE, MPI_MAX, WORLD);
  MPI_Allreduce(a, c, 3, MPI_DOUBLE, MPI_MIN, WORLD);
  MPI_Allreduce(a, p, 3, MPI_DOUBLE, MPI_PROD, WORLD);
  MPI_Allreduce(&own, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, WORLD);
  MPI_Reduce(&own, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, WORLD);
  double s = b[0] * c[1] + b[1] * c[0] + p[0] * p[1] + p[2] + least.value * (1 + least.place);
  return rank == 0 ? s + most.value * most.value * (2 + most.place) : s;
}
static double tied(const double *x) { /* all ranks have the greatest number */
  double a = x[0], b;
  MPI_Bcast(&a, 1, MPI_DOUBLE, 0, WORLD);
  MPI_Allreduce(&a, &b, 1, MPI_DOUBLE, MPI_MAX, WORLD);
  return b * b;
}
static double scans(const double *x) {
  double a[2] = {x[0] * x[1], x[1]}, b[2], c[2] = {x[0], x[1]}, d[2] = {x[1], x[0]};
  MPI_Scan(a, b, 2, MPI_DOUBLE, MPI_SUM, WORLD);
  MPI_Exscan(a, c, 2, MPI_DOUBLE, MPI_SUM, WORLD);
  MPI_Scan(MPI_IN_PLACE, d, 2, MPI_DOUBLE, MPI_SUM, WORLD);
  return b[0] * b[1] + c[0] * c[1] * x[1] + d[0] * d[1];
}
static double parts(const double *x) {
  double all[16] = {0}, one[2] = {x[0] * x[1], x[1]}, part[2] = {0}, s = 0;
  MPI_Gather(one, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, WORLD);
  if (rank == 0)
    for (int i = 0; i < 2 * size; i++)
      all[i] = all[i] * all[(i + 1) % (2 * size)];
  MPI_Scatter(all, 2, MPI_DOUBLE, part, 2, MPI_DOUBLE, 0, WORLD);
  s += part[0] * part[1];
  MPI_Allgather(one, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, WORLD);
  for (int i = 0; i < 2 * size; i++)
    s += all[i] * all[i] * (i + 1 + rank);
  double to[8], from[8];
  for (int i = 0; i < size; i++)
    to[i] = x[0] * (i + 1) + x[1] * x[1];
  MPI_Alltoall(to, 1, MPI_DOUBLE, from, 1, MPI_DOUBLE, WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 1, MPI_DOUBLE, WORLD);
  for (int i = 0; i < size; i++)
    s += from[i] * to[i] * (i + 2);
  double own[8];
  for (int i = 0; i < size; i++)
    own[i] = i == rank ? x[0] * x[0] : 0;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, own, 1, MPI_DOUBLE, WORLD);
  for (int i = 0; i < size; i++)
    s += own[i] * own[i] * (1 + i + rank);
  return s;
}
static double uneven(const double *x) {
  int counts[8], places[8], n = 0;
  double all[40] = {0}, own[8], part[8], s = 0;
  for (int i = 0; i < size; i++) {
    counts[i] = i + 1, places[i] = n;
    n += i + 2; /* a gap behind each */
  }
  for (int i = 0; i <= rank; i++)
    own[i] = x[i % 2] * (i + 1);
  MPI_Gatherv(own, rank + 1, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, size - 1, WORLD);
  if (rank == size - 1)
    for (int i = 0; i < n; i++)
      all[i] = all[i] * all[i] + x[0];
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, part, rank + 1, MPI_DOUBLE, size - 1, WORLD);
  for (int i = 0; i <= rank; i++)
    s += part[i] * x[1];
  memset(all, 0, sizeof all);
  MPI_Allgatherv(own, rank + 1, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, WORLD);
  for (int i = 0; i < n; i++)
    s += all[i] * all[i] * (i + rank);
  double in[8] = {0}, out[2], out2[8];
  for (int i = 0; i < size; i++)
    in[i] = x[0] * x[1] * (i + 1);
  MPI_Reduce_scatter_block(in, out, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  double many[40];
  for (int i = 0; i < 40; i++)
    many[i] = x[i % 2] * i;
  MPI_Reduce_scatter(many, out2, counts, MPI_DOUBLE, MPI_SUM, WORLD);
  int ones[8], at[8];
  for (int i = 0; i < size; i++)
    ones[i] = 1, at[i] = size - 1 - i;
  double from[8];
  MPI_Alltoallv(in, ones, at, MPI_DOUBLE, from, ones, at, MPI_DOUBLE, WORLD);
  return s + out[0] * out[0] + out2[0] * out2[rank] + from[0] * from[size - 1];
}
static double in_place(const double *x) {
  double all[16], one[2] = {x[0] * x[1], x[1]}, s = 0, many[8];
  int counts[8], places[8];
  for (int i = 0; i < 16; i++)
    all[i] = x[i % 2] * (i + 1);
  for (int i = 0; i < size; i++)
    counts[i] = 2, places[i] = 2 * (size - 1 - i);
  if (rank == 0) {
    MPI_Gather(MPI_IN_PLACE, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, WORLD);
    MPI_Scatter(all, 2, MPI_DOUBLE, MPI_IN_PLACE, 2, MPI_DOUBLE, 0, WORLD);
    MPI_Gatherv(MPI_IN_PLACE, 2, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, WORLD);
  } else {
    MPI_Gather(one, 2, MPI_DOUBLE, NULL, 0, MPI_DATATYPE_NULL, 0, WORLD);
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, one, 2, MPI_DOUBLE, 0, WORLD);
    MPI_Gatherv(one, 2, MPI_DOUBLE, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, WORLD);
  }
  for (int i = 0; i < 2 * size; i++)
    s += all[i] * all[(i + 1) % 16];
  for (int i = 0; i < 8; i++)
    many[i] = x[i % 2] * x[0] * i;
  MPI_Reduce_scatter_block(MPI_IN_PLACE, many, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  s += many[0] * many[0];
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, counts, places, MPI_DOUBLE, WORLD);
  for (int i = 0; i < 2 * size; i++)
    s += all[i] * all[i] * (i + 1);
  return s + one[0] * one[1];
}
static double chosen(const double *x) { /* by a condition */
  double all[8], one[2] = {x[0] * x[1], x[1]}, s = 0;
  for (int i = 0; i < 8; i++)
    all[i] = x[i % 2] * (i + 1);
  MPI_Scatter(all, 2, MPI_DOUBLE, rank ? one : MPI_IN_PLACE, 2, MPI_DOUBLE, 0, WORLD);
  MPI_Reduce(rank ? one : MPI_IN_PLACE, rank ? NULL : one, 2, MPI_DOUBLE, MPI_SUM, 0, WORLD);
  for (int i = 0; i < 8; i++)
    s += all[i] * all[i];
  return s + one[0] * one[1];
}
static double products(const double *x) { /* by ranks: reduced and scattered, of floats too */
  double a[4], out;
  float f = (float)x[0], g;
  for (int i = 0; i < 4; i++)
    a[i] = x[i % 2] + 0.1 * i;
  MPI_Reduce_scatter_block(a, &out, 1, MPI_DOUBLE, MPI_PROD, WORLD);
  MPI_Allreduce(&f, &g, 1, MPI_FLOAT, MPI_MAX, WORLD);
  return out * out + 0 * g;
}
static double grid(const double *x) { /* other communicators */
  int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], up, down;
  MPI_Comm cart, row;
  double a = x[0] * x[1], b = 0, c = 0, s;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(WORLD, 2, dims, periods, 0, &cart);
  MPI_Cart_coords(cart, rank, 2, coords);
  MPI_Cart_shift(cart, 0, 1, &down, &up);
  MPI_Sendrecv(&a, 1, MPI_DOUBLE, up, 0, &b, 1, MPI_DOUBLE, down, 0, cart, MPI_STATUS_IGNORE);
  MPI_Comm_split(cart, rank % 2, rank, &row);
  MPI_Allreduce(&b, &c, 1, MPI_DOUBLE, MPI_SUM, row);
  s = b * c * (1 + coords[0]);
  MPI_Barrier(cart);
  MPI_Comm_free(&row), MPI_Comm_free(&cart);
  return s;
}
static double complex_products(const double *x) {
  double complex a[2] = {x[0] + I * x[1], x[1] - I * x[2]}, b[2], c[2], d[2] = {a[1], a[0]};
  MPI_Request r;
  MPI_Iallreduce(a, b, 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, WORLD, &r);
  MPI_Scan(a, c, 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, WORLD);
  MPI_Exscan(MPI_IN_PLACE, d, 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return creal(b[0]) * cimag(b[1]) + cimag(c[0] * c[1]) + creal(d[0]) * cimag(d[1]);
}
static double second_names(const double *x) { /* those of the profiling interface */
  int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) = PMPI_Allreduce;
  double a = x[0] * x[1], b, c;
  int place;
  PMPI_Comm_rank(WORLD, &place);
  reduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  MPI_Allreduce(&b, &a, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  PMPI_Sendrecv(&b, 1, MPI_DOUBLE, (place + 1) % size, 0, &c, 1, MPI_DOUBLE, (place + size - 1) % size, 0, WORLD,
                MPI_STATUS_IGNORE);
  return b * c * x[0] + a;
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(broadcast, 2);
  CHECK(sums, 2);
  CHECK(extremes, 3);
  if (size == 1)
    CHECK(tied, 1);
  CHECK(scans, 2);
  CHECK(parts, 2);
  CHECK(uneven, 2);
  CHECK(in_place, 2);
  CHECK(chosen, 2);
  CHECK(products, 2);
  CHECK(grid, 2);
  CHECK(complex_products, 3);
  CHECK(second_names, 2);
  return end();
}
