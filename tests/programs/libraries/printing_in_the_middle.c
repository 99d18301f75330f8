/* printf, puts and fprintf between active statements happen once. */
#include "../check.h"

static double run(double *x) {
  double s = x[0];
  for (int i = 0; i < 3; i++) {
    s = s * x[1] + x[2];
    printf("step %d: %g\n", i, s);
  }
  fprintf(stdout, "%s %g\n", "last", x[1]);
  puts("done");
  fflush(stdout);
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, 0.7);
  return failures;
}
