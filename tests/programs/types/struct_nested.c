/* Structs in structs in arrays, with arrays inside and pointers between them. */
#include "../check.h"

struct leg {
  double length[2];
  int on;
};
struct body {
  struct leg legs[2];
  double mass;
  struct body *other;
};

NOINLINE static double weigh(struct body *b) {
  double s = b->mass;
  for (int i = 0; i < 2; i++)
    if (b->legs[i].on)
      s += b->legs[i].length[0] * b->legs[i].length[1] * b->other->mass;
  b->mass = s;
  return s;
}

static double run(double *x) {
  struct body pair[2] = {{{{{x[0], x[1]}, 1}, {{x[2], x[0]}, 0}}, x[1], &pair[1]},
                         {{{{x[1], x[1]}, 1}, {{x[0], 3}, 1}}, x[2], &pair[0]}};
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += weigh(&pair[i & 1]) * pair[0].mass;
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
