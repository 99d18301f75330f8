/* A function works on globals alone, and a stand-in that it calls stops: what comes after the stop still counts.
   expect: enzyme-cc: error: differentiated code called step in a way that cannot be differentiated */
#include "../check.h"

/* what stand-ins call */
NOINLINE void __ez_primal_only(const char *name) { __asm__ volatile("" : : "r"(name)); }

static double given[3], made[3];

NOINLINE static void step(void) {
  __ez_primal_only("step");
  for (int k = 0; k < 3; k++)
    made[k] = given[k] * 2;
}

static double f(double *x) {
  for (int k = 0; k < 3; k++)
    given[k] = x[k] * x[k];
  step();
  return made[0] * made[1] * made[2];
}

int main(void) {
  CHECK(f, 1.3, 2.7, 0.9);
  return failures;
}
