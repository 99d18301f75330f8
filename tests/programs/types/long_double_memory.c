/* long double in structs, arrays, heap and copies, mixed with other numbers. */
#include "../check.h"

struct mixed {
  float f;
  long double l;
  double d;
};

static long double run(long double *x) {
  struct mixed a[3], *b = malloc(3 * sizeof *b), c;
  for (int i = 0; i < 3; i++)
    a[i] = (struct mixed){2, x[i] * x[0], (double)i};
  memcpy(b, a, sizeof a);
  c = b[1];
  b[1] = b[2];
  b = realloc(b, 5 * sizeof *b);
  b[3] = c, b[4] = b[0];
  long double s = 0;
  for (int i = 0; i < 5; i++)
    s += b[i].l * b[i].l * b[i].f + (long double)b[i].d * b[i].l;
  free(b);
  return s;
}

int main(void) {
  CHECK_LONG(run, 0.5, 1.2, -0.7);
  return failures;
}
