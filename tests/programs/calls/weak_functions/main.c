/* Functions that may be missing: a weak one that nothing defines stays null, one that is there is differentiated. */
#include "../../check.h"

#define WEAK __attribute__((weak))
extern double missing(double) WEAK, present(double) WEAK;
extern void tell(const double *, int) WEAK;
extern double factor WEAK;
WEAK double replaced(double x) { return x; }
WEAK double kept(double x) { return x * cos(x); }

static double direct(double *x) {
  double y = x[0] * x[1];
  if (missing)
    y = missing(y);
  if (present)
    y += present(x[1]) * x[0];
  if (tell)
    tell(x, 2);
  if (&factor)
    y *= factor;
  return y * y;
}

static double through_pointers(double *x) {
  double (*steps[])(double) = {missing, present, replaced, kept}, y = x[0];
  for (int i = 0; i < 4; i++)
    if (steps[i])
      y = steps[i](y) + x[1];
  return y;
}

int main(void) {
  CHECK(direct, 0.9, 1.2);
  CHECK(through_pointers, 0.9, 1.2);
  SAME(missing == NULL, 1);
  return failures;
}
