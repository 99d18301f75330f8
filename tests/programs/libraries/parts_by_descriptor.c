/* Numbers that readv and writev move between a file and several parts of memory, and that lsearch adds to a table. */
#define _GNU_SOURCE
#include "../check.h"
#include <search.h>
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

static int differ(const void *a, const void *b) { return *(const double *)a != *(const double *)b; }

static double in_table(double *x) {
  double table[4] = {x[0]}, *found[3], y = x[1] * x[2];
  size_t n = 1;
  found[0] = lsearch(&y, table, &n, sizeof y, differ);
  found[1] = lsearch(&x[0], table, &n, sizeof y, differ);
  found[2] = lsearch(&y, table, &n, sizeof y, differ);
  return *found[0] * *found[1] + *found[2] * n + table[1] * table[1];
}

int main(void) {
  CHECK(in_parts, 0.7, 1.3, 0.4);
  CHECK(in_table, 0.7, 1.3, 0.4);
  return failures;
}
