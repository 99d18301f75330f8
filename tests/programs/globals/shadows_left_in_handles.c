/* The work space of a handle is made anew, or grows, in each call, or other code makes and destroys the handle: requests
 * do not pile up the shadows that they leave there. */
#include "../check.h"
#include <malloc.h>

enum { N = 1000, ROUNDS = 300 };
struct solver {
  double *work, *grown;
  size_t room;
};
static struct solver *solver;

static double renewed(double *x) {
  free(solver->work);
  solver->work = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++)
    solver->work[i] = x[0] * x[1] * i;
  return solver->work[7] * x[2];
}
static double grown(double *x) {
  solver->room = solver->room % N + 100;
  solver->grown = realloc(solver->grown, solver->room * sizeof(double));
  for (size_t i = 0; i < solver->room; i++)
    solver->grown[i] = x[0] * sin(x[1]) * i;
  return solver->grown[50] * x[2];
}
static double made_once(double *x) {
  if (!solver->work)
    solver->work = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++)
    solver->work[i] = x[0] + x[1] * i;
  return solver->work[N - 1] * x[2];
}

static struct solver *make(int argc) { return calloc(argc, sizeof(struct solver)); }
static void destroy(struct solver *s) {
  free(s->work);
  free(s->grown);
  free(s);
}
static size_t used(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* the blocks that two thirds of the rounds leave */
#define REPEAT(NAME, CALL)                                                                                             \
  do {                                                                                                                 \
    size_t early = 0;                                                                                                  \
    for (int k = 0; k < ROUNDS; k++) {                                                                                 \
      CALL;                                                                                                            \
      if (k == ROUNDS / 3)                                                                                             \
        early = used();                                                                                                \
    }                                                                                                                  \
    same(NAME, 0, ((double)used() - (double)early) / (N * sizeof(double)), 0, 0.1 * ROUNDS);                            \
  } while (0)

int main(int argc, char **argv) {
  double x[] = {0.7, 1.3, 0.4}, dx[3] = {0}, v[] = {1, 1, 1};
  solver = make(argc);
  if (!argv)
    solver = NULL;
  CHECK(renewed, 0.7, 1.3, 0.4);
  CHECK(grown, 0.7, 1.3, 0.4);
  REPEAT("renewed", __enzyme_autodiff((void *)renewed, x, dx));
  REPEAT("renewed forward", __enzyme_fwddiff((void *)renewed, x, v));
  REPEAT("both", (__enzyme_autodiff((void *)renewed, x, dx), __enzyme_fwddiff((void *)renewed, x, v), renewed(x)));
  REPEAT("grown", __enzyme_autodiff((void *)grown, x, dx));
  REPEAT("grown forward", __enzyme_fwddiff((void *)grown, x, v));
  destroy(solver);
  REPEAT("made by others", (solver = make(argc), __enzyme_autodiff((void *)made_once, x, dx), destroy(solver)));
  REPEAT("made by others, forward", (solver = make(argc), __enzyme_fwddiff((void *)made_once, x, v), destroy(solver)));
  return failures;
}
