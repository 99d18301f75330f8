/* EZ0304: a number is written to a stream whose memory is read directly. */
#define _GNU_SOURCE
#include "../../check.h"

static double run(double *x) {
  double room[2] = {0}, product = x[0] * x[1];
  FILE *stream = fmemopen(room, sizeof room, "w");
  fwrite(&product, sizeof product, 1, stream);
  fclose(stream);
  return room[0] * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
