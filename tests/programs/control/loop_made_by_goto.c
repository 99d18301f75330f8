/* Loops without a loop statement. */
#include "../check.h"

static double jump(double *x) {
  double s = x[0];
  int i = 0;
again:
  s = s * x[1] + i;
  if (++i < 5)
    goto again;
  i = 0;
outer:
  if (i >= 3)
    goto end;
  int j = 0;
inner:
  s += sin(s * x[2]);
  if (++j <= i)
    goto inner;
  i++;
  goto outer;
end:
  return s;
}

int main(void) {
  CHECK(jump, 0.5, 1.1, 0.7);
  return failures;
}
