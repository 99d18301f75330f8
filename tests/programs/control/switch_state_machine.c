/* A switch in a loop: each step chooses the next. */
#include "../check.h"

static double machine(double *x) {
  int state = 0;
  double s = x[0];
  for (int i = 0; i < 12; i++) {
    switch (state) {
    case 0:
      s *= x[1];
      state = 1;
      break;
    case 1:
      s = sin(s);
      state = i % 3 ? 2 : 0;
      break;
    case 2:
      s += x[2];
      state = 3;
      break;
    default:
      s = s * s * x[3];
      state = 0;
      if (s > 100)
        goto end;
    }
  }
end:
  return s;
}

int main(void) {
  CHECK(machine, 1.1, 2.0, 1.3, 0.4);
  CHECK(machine, 1.1, 2.0, 9.3, 4.4);
  return failures;
}
