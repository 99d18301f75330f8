/* Functions that work on text bring more code than the budget. They are left out, and calls without derivatives run.
 * flags: --enzyme-closure=1 */
#include "../../check.h"
#include "units.h"

static const char *name = "km";

static double by_handle(double *x) {
  const struct unit *unit = find(name);
  return unit ? scaled(unit, x[0] * x[1]) * 1e-3 : x[0];
}

static double by_copy(double *x) {
  struct unit unit;
  if (!read_unit(&unit, name))
    return sin(x[1]);
  return scaled(&unit, x[0]) * x[1] * 1e-3 + (unit.hash & 1);
}

static void count(void *context, const struct unit *unit) { *(long *)context += unit->name[1] == 'i'; }
static double by_visits(double *x) {
  long found = 0;
  int all = for_all(count, &found);
  return x[0] * x[0] * (double)found + x[1] * all;
}

int main(void) {
  CHECK(by_handle, 1.5, 0.7);
  CHECK(by_copy, 1.5, 0.7);
  CHECK(by_visits, 1.5, 0.7);
  name = "inch";
  CHECK(by_handle, 1.5, 0.7);
  CHECK(by_copy, 1.5, 0.7);
  return failures;
}
