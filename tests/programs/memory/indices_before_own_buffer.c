/* A pointer into the middle of its object's own buffer, through which elements before it are copied. */
#include "../check.h"

struct object {
  double other[3];
  double *middle;
  double own[6];
};

static int count = 3;

static double run(double *x) {
  struct object a, b;
  a.middle = a.own + 3;
  b.middle = b.own + 3;
  memcpy(a.other, x, sizeof a.other);
  for (int i = -3; i < 3; i++)
    memcpy(a.middle + i, x + i + 3, sizeof *x);
  memcpy(b.other, a.other, sizeof a.other);
  for (int i = 1; i <= count; i++)
    memcpy(b.middle - i, a.middle - i, sizeof *x);
  for (int i = 0; i < count; i++)
    memcpy(b.middle + i, a.middle + i, sizeof *x);
  double sum = 0, one;
  for (int i = -6; i < 3; i++) {
    memcpy(&one, i < -3 ? &b.other[i + 6] : b.middle + i, sizeof one);
    sum += one * one * (i + 7);
  }
  return sum;
}

int main(void) {
  CHECK(run, 0.3, 1.3, 2.3, 3.3, 4.3, 5.3);
  return failures;
}
