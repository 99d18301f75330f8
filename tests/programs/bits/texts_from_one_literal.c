/* A text is copied to memory that holds numbers at other times, and to a string to which numbers are written for people:
   the text does not make the string one of these numbers. */
#include "../check.h"

static const char unit[] = "metre per second";

static NOINLINE void show(double x, int length) {
  char text[64];
  memcpy(text, unit, length);
  FILE *stream = fmemopen(text + length, sizeof text - length, "w");
  fprintf(stream, " %g", x);
  fclose(stream);
  fputs(text, stderr);
}

static double run(double *x) {
  char *block = malloc(64);
  double *numbers = (double *)block;
  for (int i = 0; i < 3; i++)
    numbers[i] = x[0] * x[0] * (i + 1);
  double sum = numbers[0] * numbers[2];
  int length = (int)sizeof unit - 1 - (x[0] > 100);
  memcpy(block, unit, length);
  if (block[0] == 'm')
    show(sum, length);
  free(block);
  return sum;
}

int main(void) {
  CHECK(run, 1.5);
  return failures;
}
