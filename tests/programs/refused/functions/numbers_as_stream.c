/* EZ0304: numbers that carry derivatives are read through a stream of their memory. */
#define _GNU_SOURCE
#include "../../check.h"

static double run(double *x) {
  double room[2] = {x[0], x[1]}, read;
  FILE *stream = fmemopen(room, sizeof room, "r");
  if (fread(&read, sizeof read, 1, stream) != 1)
    abort();
  fclose(stream);
  return read * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
