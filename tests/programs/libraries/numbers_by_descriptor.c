/* Numbers are written to a stream, and read back by its descriptor or by another stream of that. */
#define _GNU_SOURCE
#include "../check.h"
#include <unistd.h>

static double by_descriptor(double *x) {
  FILE *file = tmpfile();
  double y = x[0] * x[0] * x[1], z = 0;
  if (isatty(fileno(stderr)) < 0)
    return 0;
  fwrite(&y, sizeof y, 1, file);
  fflush(file);
  if (pread(fileno(file), &z, sizeof z, 0) != sizeof z)
    abort();
  fclose(file);
  return z * sin(x[0]);
}

static double by_stream(double *x) {
  FILE *file = tmpfile();
  double y = x[0] * x[1], z = 0;
  fwrite(&y, sizeof y, 1, file);
  fflush(file);
  int copy = dup(fileno(file));
  lseek(copy, 0, SEEK_SET);
  FILE *again = fdopen(copy, "r");
  if (fread(&z, sizeof z, 1, again) != 1)
    abort();
  fclose(again);
  fclose(file);
  return z * z * x[1];
}

int main(void) {
  CHECK(by_descriptor, 1.3, -0.7);
  CHECK(by_stream, 1.3, -0.7);
  return failures;
}
