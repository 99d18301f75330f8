/* EZ0304: a number is written to a file, which is opened again to read it. */
#include "../../check.h"

static double run(double *x) {
  const char *name = "number_through_reopened_file.txt";
  double number = 0;
  FILE *file = fopen(name, "w");
  fprintf(file, "%.17g", x[0] * x[1]);
  fclose(file);
  file = fopen(name, "r");
  if (fscanf(file, "%lf", &number) != 1)
    abort();
  fclose(file);
  return number * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
