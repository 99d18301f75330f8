/* expect: longjmp returned to setjmp in code that is differentiated in reverse mode [EZ0304]
 * An error in a scanner of text: control returns to a point that the tape has passed. */
#include "../check.h"
#include <setjmp.h>

static double run(double *x) {
  jmp_buf back;
  volatile int tries = 0;
  if (!setjmp(back)) {
    tries++;
    longjmp(back, 1);
  }
  return x[0] * x[1] * tries;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
