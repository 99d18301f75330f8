/* Numbers that readv and writev move between a file and several parts of memory. */
#define _GNU_SOURCE
#include "../check.h"
#include <sys/uio.h>
#include <unistd.h>

static double in_parts(double *x) {
  FILE *file = tmpfile();
  double a[2] = {x[0] * x[1], x[2]}, b = x[1] * x[1], c[3];
  struct iovec out[] = {{a, sizeof a}, {&b, sizeof b}}, in[] = {{&c[2], sizeof *c}, {c, 2 * sizeof *c}};
  if (writev(fileno(file), out, 2) != sizeof c || lseek(fileno(file), 0, SEEK_SET) || readv(fileno(file), in, 2) != sizeof c)
    abort();
  fclose(file);
  return c[0] * c[1] + sin(c[2]);
}

int main(void) {
  CHECK(in_parts, 0.7, 1.3, 0.4);
  return failures;
}
