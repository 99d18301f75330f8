/* Constant tables and structs point at global arrays, which are also used by name. */
#include "../check.h"
struct work { long used; double *room; };
struct set { const char *name; double *const *arrays; double factor; };

static double room[2], first[2], second[2];
static double *const table[] = {first, second};
static const struct set sets[] = {{"one", table, 3}, {"two", table + 1, 5}};
static volatile int one = 1;

NOINLINE static void put(double x) { room[0] = second[0] = x * x; }

/* the struct is copied from a constant */
NOINLINE static double last(const struct work *w) { return w->room[w->used]; }
static double in_struct(double *x) {
  struct work w = {1, room};
  w.used--;
  put(x[0]);
  return last(&w);
}
NOINLINE static double chosen(double *const *arrays, int i) { return arrays[i][0] * 3; }
static double in_table(double *x) {
  put(x[0]);
  return chosen(table, one);
}
static double in_copy(double *x) {
  double *copy[2];
  memcpy(copy, table, sizeof copy);
  copy[0]++;
  put(x[0]);
  return chosen(copy, one);
}
static double in_sets(double *x) {
  const struct set *set = &sets[one];
  put(x[0]);
  return set->arrays[0][0] * set->factor;
}
static double through_table(double *x) {
  table[one][0] = x[0] * x[0];
  return chosen(table, one);
}

int main(void) {
  CHECK(in_struct, 0.7);
  CHECK(in_table, 0.7);
  CHECK(in_copy, 0.7);
  CHECK(in_sets, 0.7);
  CHECK(through_table, 0.7);
  return failures;
}
