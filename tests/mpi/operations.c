/* Reductions by operations that the program defines. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD

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
  CHECK(products, 2);
  CHECK(chain, 2);
  MPI_Op_free(&product), MPI_Op_free(&composition), MPI_Type_free(&pair);
  return end();
}
