/* The gradient of a long loop of checkpointed steps takes memory for its states, not for its steps, and is that of the
   plain loop, bit by bit. */
#include <enzyme/enzyme.h>
#include "../check.h"
#include <sys/resource.h>

enum { N = 50, STATES = 10, STEPS = 20000 };
#define STEP                                                                                                           \
  double before = u[0];                                                                                                \
  for (int i = 1; i + 1 < N; i++) {                                                                                    \
    double here = u[i];                                                                                                \
    u[i] += k * (before - 2 * here + u[i + 1]) + 1e-3 * sin(here);                                                     \
    before = here;                                                                                                     \
  }
static void plain(double *u, double k) { STEP }
__attribute__((enzyme("checkpoint", STATES))) static void checkpointed(double *u, double k) { STEP }

#define LOOP(step)                                                                                                     \
  static double with_##step(double *u, double k) {                                                                     \
    double sum = 0;                                                                                                    \
    for (long t = 0; t < STEPS; t++)                                                                                   \
      step(u, k);                                                                                                      \
    for (int i = 0; i < N; i++)                                                                                        \
      sum += u[i] * u[i];                                                                                              \
    return sum;                                                                                                        \
  }
LOOP(plain)
LOOP(checkpointed)

static long kilobytes(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

int main(void) {
  double u[2][N], du[2][N] = {{0}};
  for (int i = 0; i < N; i++)
    u[0][i] = u[1][i] = sin(0.1 * i);
  long before = kilobytes();
  double dk = __enzyme_autodiff((void *)with_checkpointed, u[0], du[0], 0.2);
  long more = kilobytes() - before;
  printf("%ld KB more\n", more);
  SAME(more < 1000, 1); /* of the plain loop: 20000 tapes of 50 numbers, 8 MB */
  SAME(dk, __enzyme_autodiff((void *)with_plain, u[1], du[1], 0.2));
  for (int i = 0; i < N; i++) {
    same("state", i, u[0][i], u[1][i], 0);
    same("gradient", i, du[0][i], du[1][i], 1e-14);
  }
  return failures;
}
