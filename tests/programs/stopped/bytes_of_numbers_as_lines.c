/* Bytes of a number are read from a file as a line.
 * expect: bytes of a number are read from a file as characters [EZ0304] */
#include "../check.h"

static double run(double *x) {
  double product = x[0] * x[1] + 0.1234567, got = 0;
  char line[16] = {0};
  FILE *file = tmpfile();
  fwrite(&product, sizeof product, 1, file);
  rewind(file);
  if (!fgets(line, sizeof product + 1, file))
    return 0;
  memcpy(&got, line, sizeof got);
  fclose(file);
  return got;
}
int main(void) {
  CHECK(run, 1.5, 2.0);
  return failures;
}
