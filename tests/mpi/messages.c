/* Messages between ranks: all kinds of sends and receives, requests, and numbers that nobody differentiates. */
#include "check_mpi.h"
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)

static double ring(const double *x) {
  double a[3] = {x[0] * x[1], sin(x[2]), x[0]}, b[3] = {0};
  MPI_Status status;
  int count;
  if (rank % 2 == 0 && size > 1) {
    MPI_Send(a, 3, MPI_DOUBLE, NEXT, 1, WORLD);
    MPI_Recv(b, 3, MPI_DOUBLE, LAST, 1, WORLD, &status);
  } else if (size > 1) {
    MPI_Recv(b, 3, MPI_DOUBLE, LAST, 1, WORLD, &status);
    MPI_Send(a, 3, MPI_DOUBLE, NEXT, 1, WORLD);
  } else
    MPI_Sendrecv(a, 3, MPI_DOUBLE, 0, 1, b, 3, MPI_DOUBLE, 0, 1, WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  return b[0] * b[1] + a[0] * b[2] * count * (1 + status.MPI_SOURCE);
}

static double halo(const double *x) { /* several steps, in both directions, all at once */
  double u[6], s = 0;
  MPI_Request r[4];
  for (int i = 0; i < 4; i++)
    u[i + 1] = x[i];
  for (int step = 0; step < 4; step++) {
    u[0] = u[5] = 0.1;
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, 1, WORLD, &r[0]);
    MPI_Irecv(&u[5], 1, MPI_DOUBLE, rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 2, WORLD, &r[1]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, 2, WORLD, &r[2]);
    MPI_Issend(&u[4], 1, MPI_DOUBLE, rank < size - 1 ? rank + 1 : MPI_PROC_NULL, 1, WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    double v[6];
    for (int i = 1; i < 5; i++)
      v[i] = u[i] + 0.2 * (u[i - 1] * u[i - 1] - 2 * u[i] + u[i + 1]);
    memcpy(u + 1, v + 1, 4 * sizeof(double));
  }
  for (int i = 1; i < 5; i++)
    s += u[i] * u[i];
  return s;
}

static double out_of_order(const double *x) { /* two messages with one tag, waited for in the other order */
  double a[2] = {x[0] * x[0], x[1] * x[0]}, b[2];
  MPI_Request r[2], q[2];
  for (int i = 0; i < 2; i++)
    MPI_Irecv(&b[i], 1, MPI_DOUBLE, LAST, 5, WORLD, &r[i]);
  for (int i = 0; i < 2; i++)
    MPI_Isend(&a[i], 1, MPI_DOUBLE, NEXT, 5, WORLD, &q[i]);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  MPI_Wait(&q[1], MPI_STATUS_IGNORE);
  return b[0] + 3 * b[1] * b[1];
}

static double anyone(const double *x) { /* what came is reversed */
  double s = 0, b, a = x[0] * x[1];
  MPI_Status status;
  if (rank) {
    MPI_Send(&a, 1, MPI_DOUBLE, 0, 100000 + rank, WORLD);
    MPI_Barrier(WORLD); /* else the next call's message may be received in this one */
    return a;
  }
  for (int i = 1; i < size; i++) {
    MPI_Recv(&b, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
    s += b * b * status.MPI_SOURCE * (status.MPI_TAG - 100000);
  }
  MPI_Barrier(WORLD);
  return s + x[0];
}

static double anyone_later(const double *x) { /* the same with requests */
  double s = x[1], b[8], a[2] = {x[0] * x[1], x[1]};
  MPI_Request r[8];
  if (rank) {
    MPI_Send(&a[0], 1, MPI_DOUBLE, 0, 3, WORLD);
    MPI_Send(&a[1], 1, MPI_DOUBLE, 0, 3, WORLD);
    MPI_Barrier(WORLD);
    return 0;
  }
  int n = 2 * (size - 1), index;
  for (int i = 0; i < n; i++)
    MPI_Irecv(&b[i], 1, MPI_DOUBLE, MPI_ANY_SOURCE, i % 2 ? 3 : MPI_ANY_TAG, WORLD, &r[i]);
  for (int i = 0; i < n; i++) {
    MPI_Status status;
    MPI_Waitany(n, r, &index, &status);
    s += b[index] * b[index] * (1 + status.MPI_SOURCE);
  }
  MPI_Barrier(WORLD);
  return s;
}

static double exchange(const double *x) {
  double a[2] = {x[0] * x[1], x[1]}, b[4], c[2] = {sin(x[0]), x[1] * x[1]};
  MPI_Sendrecv(a, 2, MPI_DOUBLE, NEXT, 9, b, 4, MPI_DOUBLE, LAST, 9, WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(c, 2, MPI_DOUBLE, NEXT, 9, LAST, 9, WORLD, MPI_STATUS_IGNORE);
  return b[0] * c[1] + b[1] * c[0];
}

static double persistent(const double *x) {
  double a[2], b[2], s = 0;
  MPI_Request r[2];
  MPI_Recv_init(b, 2, MPI_DOUBLE, LAST, 4, WORLD, &r[0]);
  MPI_Send_init(a, 2, MPI_DOUBLE, NEXT, 4, WORLD, &r[1]);
  for (int i = 0; i < 3; i++) {
    a[0] = x[i], a[1] = x[i] * x[i];
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    s += b[0] * b[1] * (i + 1);
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  return s;
}

static double one_by_one(const double *x) { /* which ones are started is asked for plain calls, too */
  double u[4], s = 0;
  MPI_Request r[4];
  MPI_Recv_init(&u[0], 1, MPI_DOUBLE, LAST, 0, WORLD, &r[0]);
  MPI_Recv_init(&u[3], 1, MPI_DOUBLE, MPI_PROC_NULL, 1, WORLD, &r[1]);
  MPI_Ssend_init(&u[1], 1, MPI_DOUBLE, NEXT, 0, WORLD, &r[2]);
  MPI_Send_init(&u[2], 1, MPI_DOUBLE, MPI_PROC_NULL, 1, WORLD, &r[3]);
  u[1] = x[0], u[2] = x[1], u[3] = 0.1;
  for (int t = 0; t < 3; t++) {
    for (int k = 3; k >= 0; k--)
      MPI_Start(&r[k]);
    for (int k = 0, i; k < 4; k++)
      MPI_Waitany(4, r, &i, MPI_STATUS_IGNORE);
    s += u[0] * u[0];
    u[1] = u[0] * u[2] + u[3];
  }
  for (int k = 0; k < 4; k++)
    MPI_Request_free(&r[k]);
  return s;
}

static double tested(const double *x) {
  double a = x[0] * x[0], b;
  MPI_Request r[2];
  int done = 0;
  MPI_Irecv(&b, 1, MPI_DOUBLE, LAST, 6, WORLD, &r[0]);
  MPI_Isend(&a, 1, MPI_DOUBLE, NEXT, 6, WORLD, &r[1]);
  while (!done)
    MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
  for (done = 0; !done;)
    MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
  return b * sin(b);
}

static double some_at_a_time(const double *x) {
  double a[3] = {x[0] * x[0], x[1], x[0] * x[1]}, b[3], s = 0;
  MPI_Request r[6];
  MPI_Status statuses[6];
  int found[6], n;
  for (int i = 0; i < 3; i++) {
    MPI_Irecv(&b[i], 1, MPI_DOUBLE, LAST, i, WORLD, &r[i]);
    MPI_Isend(&a[i], 1, MPI_DOUBLE, NEXT, i, WORLD, &r[3 + i]);
  }
  for (int done = 0; done < 6; done += n) {
    MPI_Waitsome(6, r, &n, found, statuses);
    for (int i = 0; i < n; i++)
      if (found[i] < 3)
        s += b[found[i]] * b[found[i]] * (1 + statuses[i].MPI_TAG);
  }
  return s;
}

static double constant_sent(const double *x) { /* one side only carries a derivative */
  double one = 1.5, a = x[0] * x[0], b = 0, c = 0;
  MPI_Request r;
  if (rank == 0) {
    MPI_Isend(&one, 1, MPI_DOUBLE, size - 1, 1, WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  if (rank == size - 1)
    MPI_Recv(&b, 1, MPI_DOUBLE, 0, 1, WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) {
    MPI_Isend(&a, 1, MPI_DOUBLE, size - 1, 1, WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  if (rank == size - 1) {
    MPI_Recv(&c, 1, MPI_DOUBLE, 0, 1, WORLD, MPI_STATUS_IGNORE);
    if (c > 1e9)
      printf("never\n");
  }
  return b * x[1] + x[0];
}

static double integers(const double *x) {
  int n = rank + 2, m = 0;
  float a = (float)x[0], b = 0;
  MPI_Sendrecv(&n, 1, MPI_INT, NEXT, 1, &m, 1, MPI_INT, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&a, 1, MPI_FLOAT, NEXT, 1, &b, 1, MPI_FLOAT, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  double s = 0;
  for (int i = 0; i < m; i++)
    s += x[i % 2] * i;
  return s + 0 * b;
}

static double single(const double *x) { /* the message is a float; differences are those of doubles elsewhere */
  float a = (float)x[0], b = 0;
  MPI_Sendrecv(&a, 1, MPI_FLOAT, NEXT, 1, &b, 1, MPI_FLOAT, LAST, 1, WORLD, MPI_STATUS_IGNORE);
  return 3 * b;
}

int main(int count, char **words) {
  begin(&count, &words);
  CHECK(ring, 3);
  CHECK(halo, 4);
  CHECK(out_of_order, 2);
  CHECK(anyone, 2);
  CHECK(anyone_later, 2);
  CHECK(exchange, 2);
  CHECK(persistent, 3);
  CHECK(one_by_one, 2);
  CHECK(tested, 1);
  CHECK(some_at_a_time, 2);
  if (size > 1)
    CHECK(constant_sent, 2);
  CHECK(integers, 2);
  double x = 0.7, d = 0;
  __enzyme_autodiff((void *)single, &x, &d);
  expect("single", "reverse", d, 3);
  return end();
}
