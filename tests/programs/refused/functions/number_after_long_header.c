/* EZ0304: numbers, and integers of the same size, are written to a file and read from it.
   expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read */
#include "../../check.h"

static double run(double *x) {
  FILE *file = tmpfile();
  long count = 2, read = 0;
  double a[2] = {x[0] * x[1], x[1]}, b[2] = {0};
  fwrite(&count, sizeof count, 1, file);
  fwrite(a, sizeof *a, 2, file);
  rewind(file);
  if (fread(&read, sizeof read, 1, file) != 1 || fread(b, sizeof *b, (size_t)read, file) != 2)
    abort();
  fclose(file);
  return b[0] * b[1] * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
