/* The unit that writes numbers to a file and the one that reads them are merged again once it is known that they do. */
#include "../../check.h"

void write_numbers(FILE *file, const double *numbers, int n);

static double f(double *x) {
  FILE *file = tmpfile();
  double products[2] = {x[0] * x[1], sin(x[0])}, read[2];
  write_numbers(file, products, 2);
  rewind(file);
  if (fread(read, sizeof *read, 2, file) != 2)
    abort();
  fclose(file);
  return read[0] * read[1];
}

int main(void) {
  CHECK(f, 0.5, 1.2);
  return failures;
}
