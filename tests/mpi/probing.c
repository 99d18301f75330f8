/* Messages that a probe takes, packed numbers, and reductions by operations that the program defines. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static double found(const double *x) {
  double a[3] = {x[0] * x[1], x[1], x[0]}, *b, s = 0;
  MPI_Request r, q;
  MPI_Message m;
  MPI_Status status;
  int n, there = 0;
  MPI_Isend(a, 2 + rank % 2, MPI_DOUBLE, NEXT, 4, WORLD, &r);
  MPI_Mprobe(MPI_ANY_SOURCE, 4, WORLD, &m, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &n);
  b = malloc(n * sizeof *b);
  MPI_Mrecv(b, n, MPI_DOUBLE, &m, &status);
  s = b[0] * b[n - 1] * (1 + status.MPI_SOURCE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Isend(a, 1, MPI_DOUBLE, NEXT, 5, WORLD, &r);
  while (!there)
    MPI_Improbe(LAST, MPI_ANY_TAG, WORLD, &there, &m, &status);
  MPI_Imrecv(b, 1, MPI_DOUBLE, &m, &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  s += b[0] * b[0] * status.MPI_TAG;
  free(b);
  return s;
}

static double packed(const double *x) { /* integers and numbers of two kinds in one message */
  char a[100], b[100];
  double y[2] = {x[0] * x[1], sin(x[1])}, z[2] = {0};
  float f = (float)x[0], g = 0;
  int n = rank + 1, m = 0, place = 0, size_of_all;
  MPI_Pack(&n, 1, MPI_INT, a, 100, &place, WORLD);
  MPI_Pack(y, 2, MPI_DOUBLE, a, 100, &place, WORLD);
  MPI_Pack(&f, 1, MPI_FLOAT, a, 100, &place, WORLD);
  size_of_all = place;
  MPI_Sendrecv(a, size_of_all, MPI_PACKED, NEXT, 1, b, 100, MPI_PACKED, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  place = 0;
  MPI_Unpack(b, 100, &place, &m, 1, MPI_INT, WORLD);
  MPI_Unpack(b, 100, &place, z, 2, MPI_DOUBLE, WORLD);
  MPI_Unpack(b, 100, &place, &g, 1, MPI_FLOAT, WORLD);
  return z[0] * z[1] * m + 0 * g;
}

static double packed_part(const double *x) { /* with a derived type, in a message of its own length */
  double y[6], z[3] = {0};
  char *a, *b;
  int n, place = 0;
  MPI_Datatype t;
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &t);
  MPI_Type_commit(&t);
  for (int i = 0; i < 6; i++)
    y[i] = x[i % 2] * (i + 1) * x[0];
  MPI_Pack_size(1, t, WORLD, &n);
  a = malloc(n), b = malloc(n);
  MPI_Pack(y, 1, t, a, n, &place, WORLD);
  MPI_Request r;
  MPI_Irecv(b, n, MPI_PACKED, LAST, 2, WORLD, &r);
  MPI_Send(a, place, MPI_PACKED, NEXT, 2, WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  place = 0;
  MPI_Unpack(b, n, &place, z, 3, MPI_DOUBLE, WORLD);
  free(a), free(b);
  MPI_Type_free(&t);
  return z[0] * z[1] + z[2] * z[2] * y[1];
}

static void multiply(void *a, void *b, int *n, MPI_Datatype *type) {
  for (int i = 0; i < *n; i++)
    ((double *)b)[i] *= ((double *)a)[i];
}
typedef struct { double a, b; } affine; /* x -> a x + b; their composition does not commute */
static void composed(void *in, void *out, int *n, MPI_Datatype *type) {
  affine *p = in, *q = out;
  for (int i = 0; i < *n; i++) {
    double a = p[i].a * q[i].a;
    q[i].b += q[i].a * p[i].b;
    q[i].a = a;
  }
}
static MPI_Op product, composition;
static MPI_Datatype pair;

static double products(const double *x) {
  double a[2] = {x[0] * x[0], x[1]}, b[2] = {0}, c[2] = {x[0], x[1] * x[0]};
  MPI_Allreduce(a, b, 2, MPI_DOUBLE, product, WORLD);
  MPI_Scan(MPI_IN_PLACE, c, 2, MPI_DOUBLE, product, WORLD);
  return b[0] * b[1] + c[0] * c[1] * (rank + 1);
}
static double chain(const double *x) {
  affine f = {x[0], x[1] * (rank + 1)}, g = {0, 0}, h = {1, 0};
  MPI_Reduce(&f, &g, 1, pair, composition, size - 1, WORLD);
  MPI_Exscan(&f, &h, 1, pair, composition, WORLD);
  return g.a * g.b + h.a * h.b + h.b * x[0];
}

int main(int count, char **words) {
  begin(&count, &words);
  MPI_Op_create(multiply, 1, &product);
  MPI_Op_create(composed, 0, &composition);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  CHECK(found, 2);
  CHECK(packed, 2);
  CHECK(packed_part, 2);
  CHECK(products, 2);
  CHECK(chain, 2);
  MPI_Op_free(&product), MPI_Op_free(&composition), MPI_Type_free(&pair);
  return end();
}
