/* Pointers kept in integers: tagged low bits, differences, exclusive or, intptr_t in memory. */
#include "../check.h"
#include <stdint.h>

struct node { uintptr_t next; double v; };

static double tagged(double *x) {
  struct node n[3];
  for (int i = 0; i < 3; i++)
    n[i] = (struct node){i < 2 ? (uintptr_t)&n[i + 1] | 1 : 0, x[i] * x[i]};
  double s = 0;
  for (uintptr_t p = (uintptr_t)n; p; p = ((struct node *)p)->next & ~(uintptr_t)1)
    s += ((struct node *)p)->v * x[0];
  return s;
}

static double differences(double *x) {
  double a[4] = {x[0], x[1], x[2], 2};
  intptr_t first = (intptr_t)a;
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += *(double *)(first + i * (intptr_t)sizeof(double)) * x[i % 3];
  return s;
}

static double checked(double *x) {
  double a[3] = {x[0], x[1], x[2]}, s = 0;
  for (int i = 0; i < 3; i++) {
    intptr_t place;
    if (!__builtin_add_overflow((intptr_t)a, i * (intptr_t)sizeof(double), &place))
      s += *(double *)place * x[0];
  }
  return s;
}

static double kept(double *x) {
  uintptr_t table[2] = {(uintptr_t)x, (uintptr_t)(x + 1)};
  double s = 1;
  for (int i = 0; i < 2; i++)
    s *= *(double *)table[i] + ((double *)table[i])[1];
  return s;
}

int main(void) {
  CHECK(tagged, 0.5, 1.2, -0.7);
  CHECK(differences, 0.5, 1.2, -0.7);
  CHECK(checked, 0.5, 1.2, -0.7);
  CHECK(kept, 0.5, 1.2, -0.7);
  return failures;
}
