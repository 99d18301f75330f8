/* __enzyme_virtualreverse of a function that only the run tells. */
/* expect: __enzyme_virtualreverse is given a function that is not known at link time [EZ0204] */
#include "../check.h"

extern void *__enzyme_virtualreverse(void *);

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
double (*chosen)(double) = square;

int main(int count, char **words) {
  if (count > 1)
    chosen = cube;
  printf("%p %s\n", __enzyme_virtualreverse((void *)chosen), words[0]);
  return 0;
}
