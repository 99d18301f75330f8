/* EZ0304: numbers are written to a file by one function, and read from it by another.
   expect: reason: it writes a number that carries a derivative to a text or file, from which numbers are read */
#include "../../check.h"

struct scratch {
  FILE *file;
  double numbers[2];
};

NOINLINE static void put(struct scratch *s, double *numbers) { fwrite(numbers, sizeof *numbers, 2, s->file); }

NOINLINE static void get(struct scratch *s) {
  rewind(s->file);
  if (fread(s->numbers, sizeof *s->numbers, 2, s->file) != 2)
    abort();
}

static double run(double *x) {
  double a[2] = {x[0] * x[1], x[1]};
  struct scratch s = {tmpfile(), {0}};
  put(&s, a);
  get(&s);
  fclose(s.file);
  return s.numbers[0] * s.numbers[1] * x[0];
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
