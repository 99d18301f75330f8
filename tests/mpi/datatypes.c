/* Derived datatypes: which numbers they have is told by their type maps. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static double exchanged(const double *x, MPI_Datatype sent, MPI_Datatype received, int count) {
  double a[24], b[24], s = 0;
  for (int i = 0; i < 24; i++)
    a[i] = x[i % 3] * x[(i + 1) % 3] * (i + 1), b[i] = x[i % 2];
  MPI_Sendrecv(a, 1, sent, NEXT, 1, b, count, received, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 24; i++)
    s += b[i] * b[i] * (i + 1);
  MPI_Type_free(&sent);
  if (received != MPI_DOUBLE)
    MPI_Type_free(&received);
  return s;
}
static double column(const double *x) {
  MPI_Datatype t, u;
  MPI_Type_vector(4, 2, 5, MPI_DOUBLE, &t);
  MPI_Type_commit(&t);
  MPI_Type_contiguous(8, MPI_DOUBLE, &u);
  MPI_Type_commit(&u);
  return exchanged(x, t, u, 1);
}
static double scattered(const double *x) {
  MPI_Datatype t;
  int lengths[] = {2, 1, 3}, places[] = {7, 1, 12};
  MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &t);
  MPI_Type_commit(&t);
  return exchanged(x, t, MPI_DOUBLE, 10);
}
static double inner(const double *x) {
  MPI_Datatype t, u;
  int sizes[] = {4, 6}, part[] = {2, 3}, first[] = {1, 2};
  MPI_Type_create_subarray(2, sizes, part, first, MPI_ORDER_C, MPI_DOUBLE, &t);
  MPI_Type_commit(&t);
  MPI_Type_create_subarray(2, sizes, part, first, MPI_ORDER_FORTRAN, MPI_DOUBLE, &u);
  MPI_Type_commit(&u);
  return exchanged(x, t, u, 1);
}
struct particle { int id; double place[2]; float mass; };
static double particles(const double *x) {
  struct particle a[2], b[2] = {{0}};
  MPI_Datatype t, resized;
  int lengths[] = {1, 2, 1};
  MPI_Aint places[] = {offsetof(struct particle, id), offsetof(struct particle, place), offsetof(struct particle, mass)};
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT};
  MPI_Type_create_struct(3, lengths, places, types, &t);
  MPI_Type_create_resized(t, 0, sizeof(struct particle), &resized);
  MPI_Type_commit(&resized);
  for (int i = 0; i < 2; i++)
    a[i] = (struct particle){i + 1, {x[0] * x[1], x[1] * (i + 1)}, 0.5f};
  MPI_Request r[2];
  MPI_Irecv(b, 2, resized, LAST, 1, WORLD, &r[0]);
  MPI_Isend(a, 2, resized, NEXT, 1, WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&t), MPI_Type_free(&resized);
  double s = 0;
  for (int i = 0; i < 2; i++)
    s += b[i].id * b[i].place[0] * b[i].place[1] * b[i].mass;
  return s;
}
static double pairs(const double *x) { /* a type of the library that has a number and an integer */
  struct { double v; int r; } a[2] = {{x[0] * x[1], rank + 1}, {x[1], 2}}, b[3] = {{0}};
  b[2].v = x[0];
  MPI_Sendrecv(a, 2, MPI_DOUBLE_INT, NEXT, 0, b, 3, MPI_DOUBLE_INT, LAST, 0, WORLD, MPI_STATUS_IGNORE);
  return b[0].v * b[0].r * b[1].v * b[1].r * b[2].v;
}
static double by_addresses(const double *x) { /* of one block */
  struct particle a = {rank + 1, {x[0] * x[1], x[1]}, 0.5f}, b = {0};
  MPI_Datatype t, types[] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT};
  int lengths[] = {1, 2, 1};
  MPI_Aint places[3], first;
  MPI_Get_address(&a, &first);
  MPI_Get_address(&a.id, &places[0]), MPI_Get_address(a.place, &places[1]), MPI_Get_address(&a.mass, &places[2]);
  for (int i = 0; i < 3; i++)
    places[i] -= first;
  MPI_Type_create_struct(3, lengths, places, types, &t);
  MPI_Type_commit(&t);
  MPI_Sendrecv(&a, 1, t, NEXT, 0, &b, 1, t, LAST, 0, WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&t);
  return b.id * b.place[0] * b.place[1] * b.mass;
}
static double fewer(const double *x) { /* less comes than there is room for: the rest stays */
  double a[4] = {x[0] * x[1], x[1]}, b[4] = {x[0], x[1], x[0] * x[0], x[1]};
  MPI_Request r;
  MPI_Irecv(b, 4, MPI_DOUBLE, LAST, 1, WORLD, &r);
  MPI_Send(a, 2, MPI_DOUBLE, NEXT, 1, WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  return b[0] * b[1] * b[2] * b[3];
}
static double columns_gathered(const double *x) {
  MPI_Datatype t;
  double a[12], all[64] = {0}, s = 0;
  for (int i = 0; i < 12; i++)
    a[i] = x[i % 3] * (i + 1);
  MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &t);
  MPI_Type_commit(&t);
  MPI_Allgather(a + 1, 1, t, all, 3, MPI_DOUBLE, WORLD);
  MPI_Bcast(a, 1, t, 0, WORLD);
  for (int i = 0; i < 3 * size; i++)
    s += all[i] * all[i] * (1 + i);
  for (int i = 0; i < 12; i++)
    s += a[i] * a[i];
  MPI_Type_free(&t);
  return s;
}
static MPI_Datatype strided(int count, int stride) {
  MPI_Datatype t;
  MPI_Type_vector(count, 1, stride, MPI_DOUBLE, &t);
  MPI_Type_commit(&t);
  return t;
}
static double freed_while_under_way(const double *x) { /* another type may get the handle before the wait */
  double a[6], b[6] = {1, 1, 1, 1, 1, 1}, s = 0;
  MPI_Request r[2], persistent[2];
  MPI_Datatype t = strided(3, 2), other;
  for (int i = 0; i < 6; i++)
    a[i] = x[i % 3] * x[0] * (i + 1);
  MPI_Irecv(b, 1, t, LAST, 0, WORLD, &r[0]);
  MPI_Isend(a, 1, t, NEXT, 0, WORLD, &r[1]);
  MPI_Type_free(&t);
  other = strided(2, 1);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&other);
  t = strided(2, 3);
  MPI_Recv_init(a, 1, t, LAST, 0, WORLD, &persistent[0]);
  MPI_Send_init(b, 1, t, NEXT, 0, WORLD, &persistent[1]);
  MPI_Type_free(&t);
  for (int k = 0; k < 2; k++) {
    other = strided(3, 1);
    MPI_Startall(2, persistent);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
    MPI_Type_free(&other);
    for (int i = 0; i < 6; i++)
      s += a[i] * b[i] * (i + 1), b[i] *= 0.5 * b[i];
  }
  MPI_Request_free(&persistent[0]), MPI_Request_free(&persistent[1]);
  return s;
}
static double freed_lists(const double *x) { /* of the call for all ranks */
  double a[16], b[16] = {0}, s = 0;
  for (int step = 0; step < 2; step++) {
    MPI_Datatype sent[4], received[4];
    int ones[4], from[4], to[4];
    for (int i = 0; i < 16; i++)
      a[i] = x[i % 3] * x[(i + 1) % 3] + 0.1 * b[i];
    for (int k = 0; k < size; k++)
      sent[k] = strided(3, 2 + step), received[k] = strided(3, 1), ones[k] = 1, from[k] = 8 * k, to[k] = 24 * k;
    MPI_Alltoallw(a, ones, from, sent, b, ones, to, received, WORLD);
    for (int k = 0; k < size; k++)
      MPI_Type_free(&sent[k]), MPI_Type_free(&received[k]);
    for (int i = 0; i < 5; i++)
      s += b[i] * b[i + 1];
  }
  return s;
}
int main(int count, char **words) {
  begin(&count, &words);
  CHECK(column, 3);
  CHECK(scattered, 3);
  CHECK(inner, 3);
  CHECK(particles, 2);
  CHECK(pairs, 2);
  CHECK(by_addresses, 2);
  CHECK(fewer, 2);
  CHECK(columns_gathered, 3);
  CHECK(freed_while_under_way, 3);
  CHECK(freed_lists, 3);
  return end();
}
