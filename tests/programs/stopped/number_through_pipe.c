/* The bytes of a number go through a pipe.
 * expect: numbers are written to a pipe, a socket or a stream without a file, and read back [EZ0304] */
#include "../check.h"
#include <unistd.h>

static double run(double *x) {
  int ends[2];
  double number = x[0] * x[1], again = 0;
  if (pipe(ends) || write(ends[1], &number, sizeof number) < 0 || read(ends[0], &again, sizeof again) < 0)
    abort();
  close(ends[0]);
  close(ends[1]);
  return again * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
