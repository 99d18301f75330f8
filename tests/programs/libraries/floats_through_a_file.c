/* One function writes numbers in single precision to a file, another one reads them. Doubles follow, as single bytes. */
#include "../check.h"

static void need(int is_right) {
  if (!is_right)
    abort();
}

NOINLINE static void put(FILE *file, const float *numbers) { need(fwrite(numbers, sizeof *numbers, 2, file) == 2); }
NOINLINE static void get(FILE *file, float *numbers) { need(fread(numbers, sizeof *numbers, 2, file) == 2); }

static double of_two_kinds(double *x) {
  FILE *file = tmpfile();
  float a[2] = {(float)x[1], 3}, b[2] = {0};
  double c = x[0] * x[1], d = 0;
  put(file, a);
  need(fwrite(&c, 1, sizeof c, file) == sizeof c);
  rewind(file);
  get(file, b);
  need(fread(&d, 1, sizeof d, file) == sizeof d);
  fclose(file);
  return (b[0] - a[0]) * x[0] + b[1] * d * d;
}

int main(void) {
  CHECK(of_two_kinds, 0.5, 1.2);
  return failures;
}
