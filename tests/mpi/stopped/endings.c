/* EZ0302 bytes EZ0305 receiver EZ0305 sender EZ0305 request EZ0302 mixed EZ0305 window EZ0305 unwaited EZ0305 later EZ0305 tangent EZ0305 summed EZ0305 joined EZ0305 freed
 * Each word is a program, given as argument, that must end on all ranks with a message. */
#include "../check_mpi.h"
#include <enzyme/checkpoint.h>
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)
static MPI_Comm comm; /* its ranks are in reverse order */
static int is_of_root;
static MPI_Request request;
static MPI_Win window;
static double b;

static double bytes(const double *x) { /* a message of bytes does not tell which of them are numbers */
  double a = x[0] * x[0];
  MPI_Sendrecv(&a, sizeof a, MPI_BYTE, NEXT, 0, &b, sizeof b, MPI_BYTE, LAST, 0, WORLD, MPI_STATUS_IGNORE);
  return b * b;
}
static double receiver(const double *x) { /* the receiver is in plain code, and then waits for others */
  double a = x[0] * x[0];
  MPI_Send(&a, 1, MPI_DOUBLE, 1, 7, WORLD);
  return a;
}
static double sender(const double *x) { /* the sender is in plain code: a derivative comes back that it does not receive */
  double a;
  MPI_Recv(&a, 1, MPI_DOUBLE, 1, 7, WORLD, MPI_STATUS_IGNORE);
  return a * x[0];
}
static double sum_all(const double *x) { /* some ranks sum in plain code */
  double a = x[0] * x[0], c;
  MPI_Allreduce(&a, &c, 1, MPI_DOUBLE, MPI_SUM, comm);
  return c;
}
static double to_group(const double *x) { /* the other group is in plain code */
  double a = x[0] * x[0], c = 0;
  MPI_Reduce(&a, &c, 1, MPI_DOUBLE, MPI_SUM, is_of_root ? MPI_ROOT : 0, comm);
  return c * a;
}
static double to_second(const double *x) { /* the receiver waits in plain code for a request, over another communicator */
  double a = x[0] * x[0];
  MPI_Send(&a, 1, MPI_DOUBLE, 1, 7, comm);
  return a;
}
struct state { double u; };
struct parameters { MPI_Comm comm; };
static void step(struct state *s, const struct parameters *p, long t) {
  double all;
  (void)t;
  MPI_Allreduce(&s->u, &all, 1, MPI_DOUBLE, MPI_SUM, p->comm);
  s->u = sin(all);
}
ENZYME_CHECKPOINTED(simulate, step, struct state, const struct parameters, 2)
static double freed(const double *x) { /* steps that are computed again need the communicator */
  struct state s = {x[0]};
  struct parameters p;
  MPI_Comm_dup(WORLD, &p.comm);
  simulate(&s, sizeof s, &p, 10);
  MPI_Comm_free(&p.comm);
  return s.u;
}
static double waits(const double *x) { /* for a request of plain code */
  double a = x[0] * x[0];
  MPI_Send(&a, 1, MPI_DOUBLE, NEXT, 0, WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return b * b;
}
static double unwaited(const double *x) { /* begun here, waited for elsewhere */
  static double a;
  a = x[0] * x[0];
  MPI_Send(&a, 1, MPI_DOUBLE, NEXT, 0, WORLD);
  MPI_Irecv(&b, 1, MPI_DOUBLE, LAST, 0, WORLD, &request);
  return a;
}
static double mixed(const double *x) { /* numbers of two kinds, added up */
  struct { double d; float f; } a = {x[0], (float)x[0]}, all[8];
  MPI_Datatype t;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_FLOAT}, &t);
  MPI_Datatype u;
  MPI_Type_create_resized(t, 0, sizeof a, &u);
  MPI_Type_commit(&u);
  MPI_Allgather(&a, 1, u, all, 1, u, WORLD);
  return all[0].d;
}
static double windowed(const double *x) { /* a window that plain code has made */
  double a = x[0] * x[0];
  MPI_Win_fence(0, window);
  MPI_Put(&a, 1, MPI_DOUBLE, NEXT, 0, 1, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  return b * b;
}

int main(int count, char **words) {
  begin(&count, &words);
  double x = 2, d = 0, got;
  int is_first = rank == 0;
  if (!strcmp(words[1], "bytes"))
    __enzyme_autodiff((void *)bytes, &x, &d);
  if (!strcmp(words[1], "receiver")) {
    if (is_first)
      __enzyme_autodiff((void *)receiver, &x, &d);
    else
      MPI_Recv(&got, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE);
    sum_of(d);
  }
  if (!strcmp(words[1], "sender")) {
    if (is_first)
      __enzyme_autodiff((void *)sender, &x, &d);
    else
      MPI_Send(&x, 1, MPI_DOUBLE, 0, 7, WORLD);
  }
  MPI_Comm_split(WORLD, 0, -rank, &comm);
  if (!strcmp(words[1], "later")) {
    if (rank == size - 1)
      __enzyme_autodiff((void *)to_second, &x, &d);
    else {
      int index;
      MPI_Irecv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
      MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    }
    sum_of(d);
  }
  if (!strcmp(words[1], "tangent")) {
    double v = 1;
    if (is_first)
      __enzyme_fwddiff((void *)sender, &x, &v);
    else
      MPI_Send(&x, 1, MPI_DOUBLE, 0, 7, WORLD);
  }
  if (!strcmp(words[1], "summed")) {
    if (is_first)
      __enzyme_autodiff((void *)sum_all, &x, &d);
    else
      sum_all(&x);
    sum_of(d);
  }
  if (!strcmp(words[1], "joined")) {
    MPI_Comm own;
    MPI_Comm_split(WORLD, rank, 0, &own);
    MPI_Intercomm_create(own, 0, WORLD, 1 - rank, 0, &comm);
    is_of_root = is_first;
    if (is_first)
      __enzyme_autodiff((void *)to_group, &x, &d);
    else
      to_group(&x);
    sum_of(d);
  }
  if (!strcmp(words[1], "request")) {
    MPI_Irecv(&b, 1, MPI_DOUBLE, LAST, 0, WORLD, &request);
    __enzyme_autodiff((void *)waits, &x, &d);
  }
  if (!strcmp(words[1], "unwaited")) {
    __enzyme_autodiff((void *)unwaited, &x, &d);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (!strcmp(words[1], "freed"))
    __enzyme_autodiff((void *)freed, &x, &d);
  if (!strcmp(words[1], "mixed"))
    __enzyme_autodiff((void *)mixed, &x, &d);
  if (!strcmp(words[1], "window")) {
    MPI_Win_create(&b, sizeof b, sizeof b, MPI_INFO_NULL, WORLD, &window);
    __enzyme_autodiff((void *)windowed, &x, &d);
  }
  return end();
}
