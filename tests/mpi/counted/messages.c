/* Counts messages and their bytes: of a collective call, what this rank passes. It is loaded before the library of MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

long counted_messages, counted_bytes;

static long bytes_of(MPI_Datatype type, long count) {
  int size;
  PMPI_Type_size(type, &size);
  return count * size;
}
static long of_all(const int *counts, MPI_Comm comm) {
  int size;
  long sum = 0;
  PMPI_Comm_size(comm, &size);
  for (int i = 0; i < size; i++)
    sum += counts ? counts[i] : 1;
  return sum;
}

#define COUNTED_AS(PREFIX, NAME, PARAMETERS, ARGUMENTS, COUNT, TYPE)                                              \
  int PREFIX##_##NAME PARAMETERS {                                                                                \
    int(*call) PARAMETERS = dlsym(RTLD_NEXT, "PMPI_" #NAME);                                                      \
    counted_messages++, counted_bytes += bytes_of(TYPE, COUNT);                                                   \
    return call ARGUMENTS;                                                                                        \
  }
#define COUNTED(...) COUNTED_AS(MPI, __VA_ARGS__) COUNTED_AS(PMPI, __VA_ARGS__)
#define SENT const void *in, int n, MPI_Datatype t, int to, int tag, MPI_Comm c
COUNTED(Send, (SENT), (in, n, t, to, tag, c), n, t)
COUNTED(Isend, (SENT, MPI_Request *r), (in, n, t, to, tag, c, r), n, t)
#define REDUCED const void *in, void *out, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c
COUNTED(Allreduce, (REDUCED), (in, out, n, t, o, c), n, t)
COUNTED(Iallreduce, (REDUCED, MPI_Request *r), (in, out, n, t, o, c, r), n, t)
#define MOVED const void *in, int n, MPI_Datatype t, void *out, int m, MPI_Datatype u, MPI_Comm c
COUNTED(Alltoall, (MOVED), (in, n, t, out, m, u, c), n * of_all(NULL, c), t)
COUNTED(Ialltoall, (MOVED, MPI_Request *r), (in, n, t, out, m, u, c, r), n * of_all(NULL, c), t)
COUNTED(Iallgather, (MOVED, MPI_Request *r), (in, n, t, out, m, u, c, r), n, t)
#define LISTED                                                                                                    \
  const void *in, const int *n, const int *at, MPI_Datatype t, void *out, const int *m, const int *to, MPI_Datatype u, \
      MPI_Comm c
COUNTED(Ialltoallv, (LISTED, MPI_Request *r), (in, n, at, t, out, m, to, u, c, r), of_all(n, c), t)
