/* Whole structs assigned: by name, by pointer, from arrays, conditionally. */
#include "../check.h"

struct point {
  double x, y;
  int tag;
};

static double assign(double *x) {
  struct point a = {x[0], x[1], 1}, b = {x[2], x[0], 2}, c[3], *p = &c[1];
  c[0] = a;
  *p = b;
  c[2] = a.x > b.x ? a : b;
  a = *p;
  a.y *= c[2].x;
  c[a.tag % 3] = a;
  return a.x * c[0].y + c[1].y * c[2].y * c[1].tag;
}

int main(void) {
  CHECK(assign, 0.5, 1.2, 0.7);
  CHECK(assign, 1.5, 1.2, 0.7);
  return failures;
}
