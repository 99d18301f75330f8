/* What usual programs do: sizes found by probing, buffers in globals and structs, a rank that gives work to others. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static double probed(const double *x) { /* memory by malloc */
  int n = 2 + rank, m, total;
  double s = 0, *a = malloc(n * sizeof *a), *b;
  MPI_Request r;
  MPI_Status status;
  for (int i = 0; i < n; i++)
    a[i] = x[i % 2] * x[0] * (i + 1);
  MPI_Isend(a, n, MPI_DOUBLE, NEXT, 11, WORLD, &r);
  MPI_Probe(MPI_ANY_SOURCE, 11, WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &m);
  b = malloc(m * sizeof *b);
  MPI_Recv(b, m, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  for (int i = 0; i < m; i++)
    s += b[i] * b[i];
  free(a);
  free(b);
  MPI_Allreduce(&m, &total, 1, MPI_INT, MPI_SUM, WORLD);
  return s * total;
}

static double sent[8], received[8];
static MPI_Request requests[2];
static double globals(const double *x) {
  for (int i = 0; i < 2; i++)
    sent[i] = x[i] * x[1 - i] + x[i];
  MPI_Irecv(received, 2, MPI_DOUBLE, LAST, 1, WORLD, &requests[0]);
  MPI_Isend(sent, 2, MPI_DOUBLE, NEXT, 1, WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return received[0] * received[1] * x[0];
}

static MPI_Comm line;
struct field {
  int n;
  double *u;
  MPI_Comm comm;
  MPI_Datatype row;
};
static void halo(struct field *f) {
  int up, down, n = f->n;
  MPI_Cart_shift(f->comm, 0, 1, &down, &up);
  MPI_Sendrecv(f->u + n, 1, f->row, down, 1, f->u + 3 * n, 1, f->row, up, 1, f->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(f->u + 2 * n, 1, f->row, up, 2, f->u, 1, f->row, down, 2, f->comm, MPI_STATUS_IGNORE);
}
static double structs(const double *x) {
  struct field f = {3, calloc(12, sizeof(double)), line, MPI_DATATYPE_NULL};
  double s = 0, v[6];
  MPI_Type_contiguous(3, MPI_DOUBLE, &f.row);
  MPI_Type_commit(&f.row);
  for (int i = 0; i < 6; i++)
    f.u[3 + i] = x[i % 3] * (i + 1);
  for (int t = 0; t < 3; t++) {
    halo(&f);
    for (int i = 0; i < 6; i++)
      v[i] = 0.5 * f.u[3 + i] + 0.2 * f.u[i] * f.u[6 + i];
    memcpy(f.u + 3, v, sizeof v);
  }
  for (int i = 0; i < 6; i++)
    s += f.u[3 + i] * f.u[3 + i];
  MPI_Type_free(&f.row);
  free(f.u);
  return s;
}

enum { WORK = 1, END = 2, TASKS = 5 };
static double given(const double *x) { /* the first rank gives tasks to whoever is done */
  double task, result, s = 0;
  int next = 0;
  MPI_Status status;
  for (int w = 1; w < size && next < TASKS; w++, next++) {
    task = x[next % 2] * (next + 1);
    MPI_Send(&task, 1, MPI_DOUBLE, w, WORK, WORLD);
  }
  for (int done = 0; done < TASKS; done++) {
    MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
    s += result;
    if (next < TASKS) {
      task = x[next % 2] * (next + 1);
      MPI_Send(&task, 1, MPI_DOUBLE, status.MPI_SOURCE, WORK, WORLD);
      next++;
    }
  }
  for (int w = 1; w < size; w++)
    MPI_Send(&task, 0, MPI_DOUBLE, w, END, WORLD);
  return s;
}
static void work(void) {
  double task, result;
  MPI_Status status;
  for (;;) {
    MPI_Recv(&task, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, WORLD, &status);
    if (status.MPI_TAG == END)
      return;
    result = sin(task) * task;
    MPI_Send(&result, 1, MPI_DOUBLE, 0, WORK, WORLD);
  }
}
static double farm(const double *x) {
  double s = 0;
  if (size == 1)
    return x[0] * x[1];
  if (rank == 0)
    s = given(x);
  else
    work();
  MPI_Barrier(WORLD);
  return s;
}

static double replicated(const double *x) { /* all ranks have the loss, so each returns a part of it */
  double own = x[0] * x[1], all;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, WORLD);
  return all * all / size;
}

static double through_a_file(const double *x) { /* what is read from a file is constant */
  double a[2] = {x[0], x[1]}, b[2] = {0}, c[2] = {3, 4};
  MPI_File f;
  MPI_File_open(WORLD, "numbers.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_write_at_all(f, 16 * rank, c, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_sync(f);
  MPI_Barrier(WORLD);
  MPI_File_sync(f);
  MPI_File_read_at_all(f, 16 * ((rank + 1) % size), b, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_write_at(f, 16 * (size + rank), a, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  return a[0] * b[0] + a[1] * a[1] * b[1];
}

int main(int count, char **words) {
  begin(&count, &words);
  MPI_Cart_create(WORLD, 1, &size, (int[]){0}, 0, &line);
  CHECK(probed, 2);
  CHECK(globals, 2);
  CHECK(structs, 3);
  CHECK(farm, 2);
  CHECK(replicated, 2);
  CHECK(through_a_file, 2);
  MPI_Comm_free(&line);
  return end();
}
