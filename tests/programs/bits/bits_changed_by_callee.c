/* Functions that are not inlined change the bits of numbers through pointers to integers. Some numbers are never cast in
 * the optimised code: only their memory tells that they are numbers. */
#include "../check.h"
#include <stdint.h>

NOINLINE static void add(uint64_t *u) { *u += 2ull << 52; }
NOINLINE static void choose(uint64_t *u, const double *x) { *u += (uint64_t)(x[1] > 0.4) << 52; }
NOINLINE static void normalise(uint64_t *u) { *u = (*u & 0x000fffffffffffffu) | 0x3fe0000000000000u; }
NOINLINE static void add_small(uint32_t *u) { *u += 3u << 23; }

static double through_add(double *x) {
  double y = x[0] * x[1];
  uint64_t u;
  memcpy(&u, &y, sizeof u);
  add(&u);
  memcpy(&y, &u, sizeof u);
  return y * x[2];
}
static double through_choose(double *x) {
  union {
    double d;
    uint64_t u;
  } y = {x[0]};
  choose(&y.u, x);
  return y.d * x[2];
}
static double through_normalise(double *x) {
  uint64_t u;
  memcpy(&u, x, sizeof u);
  normalise(&u);
  double y;
  memcpy(&y, &u, sizeof u);
  return y * y * x[1];
}
static double through_small(double *x) {
  float y = x[0] * 1.5;
  uint32_t u;
  memcpy(&u, &y, sizeof u);
  add_small(&u);
  memcpy(&y, &u, sizeof u);
  return y * x[1];
}
static double chosen(double *x) {
  uint64_t u;
  memcpy(&u, x, sizeof u);
  u = x[1] > 1 ? u + (1ull << 52) : u;
  double y;
  memcpy(&y, &u, sizeof u);
  return y * x[1] * x[2];
}

int main(void) {
  CHECK(through_add, 0.7, 1.3, 0.4);
  CHECK(through_choose, 0.7, 1.3, 0.4);
  CHECK(through_choose, 0.7, 0.3, 0.4);
  CHECK(through_normalise, 0.7, 1.3, 0.4);
  CHECK(chosen, 0.7, 1.3, 0.4);
  double x[3] = {0.7, 1.3, 0.4}, dx[3] = {0};
  __enzyme_autodiff((void *)through_small, x, dx);
  SAME(dx[0], 12 * 1.3);
  same("through_small", 1, dx[1], 8 * 1.05, 1e-6);
  return failures;
}
