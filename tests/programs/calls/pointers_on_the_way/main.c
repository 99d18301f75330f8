/* Function pointers come to a field through parameters, tables, copies, unions, integers and variable arguments. */
#include "../../check.h"
#include "travel.h"

static struct plan *plan;
static int route;

static double through(double *x) { return evaluate(plan, route, x[0]); }

int main(void) {
  for (route = 0; route < ROUTES; route++) {
    plan = make(route);
    CHECK(through, 0.7);
    free(plan);
  }
  return failures;
}
