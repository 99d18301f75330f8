/* EZ0302 characters, EZ0302 words, EZ0302 absolute, EZ0302 blocks: numbers where types of messages do not tell them. */
#include "../check_mpi.h"
#include <stdint.h>
#define WORLD MPI_COMM_WORLD
#define NEXT ((rank + 1) % size)
#define LAST ((rank + size - 1) % size)
static double characters(const double *x) {
  double a[2] = {x[0] * x[0], x[0]}, b[2] = {0};
  MPI_Sendrecv(a, sizeof a, MPI_CHAR, NEXT, 0, b, sizeof b, MPI_CHAR, LAST, 0, WORLD, MPI_STATUS_IGNORE);
  return b[0] * b[1];
}
static double words_of_numbers(const double *x) {
  double a[2] = {x[0] * x[0], x[0]};
  int64_t bits[2];
  memcpy(bits, a, sizeof a);
  MPI_Bcast(bits, 2, MPI_INT64_T, 0, WORLD);
  memcpy(a, bits, sizeof a);
  return a[0] * a[1];
}
static MPI_Datatype of_both(double *a, double *b, const double *origin) {
  MPI_Datatype t, types[] = {MPI_DOUBLE, MPI_DOUBLE};
  MPI_Aint places[2], first = 0;
  MPI_Get_address(a, &places[0]), MPI_Get_address(b, &places[1]);
  if (origin)
    MPI_Get_address(origin, &first);
  places[0] -= first, places[1] -= first;
  MPI_Type_create_struct(2, (int[]){1, 1}, places, types, &t);
  MPI_Type_commit(&t);
  return t;
}
static double blocks(const double *x, int is_absolute) {
  double *a = malloc(sizeof *a), *b = malloc(100 * sizeof *b), c[2] = {0}, s;
  *a = x[0] * x[0], *b = x[0];
  MPI_Datatype t = of_both(a, b, is_absolute ? NULL : a);
  MPI_Sendrecv(is_absolute ? MPI_BOTTOM : a, 1, t, NEXT, 0, c, 2, MPI_DOUBLE, LAST, 0, WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&t);
  s = c[0] * c[1];
  free(a), free(b);
  return s;
}
int main(int count, char **words) {
  begin(&count, &words);
  double x = 2, d = 0;
  if (!strcmp(words[1], "characters"))
    __enzyme_autodiff((void *)characters, &x, &d);
  else if (!strcmp(words[1], "words"))
    __enzyme_autodiff((void *)words_of_numbers, &x, &d);
  else
    __enzyme_autodiff((void *)blocks, &x, &d, !strcmp(words[1], "absolute"));
  return end();
}
