/* The system is asked for the pages of a tape in fresh memory: for those of records by many calls in all, for those of
 * an array at once. Each page would be a fault otherwise. */
#define _GNU_SOURCE
#include "../check.h"
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { POPULATE_WRITE = 23, COUNT = 500000 };

/* How often is not known before: each iteration has a record. */
static double records(double x, double end) {
  double y = x;
  int steps = 0;
  while (steps < end)
    y = y * (1 + 1e-6 * y) - 1e-6 * x, steps++;
  return y;
}

static double arrays(double x, int n) {
  double y = x;
  for (int i = 0; i < n; i++)
    y = y * (1 + 1e-6 * y) - 1e-6 * x;
  return y;
}

static size_t asked, calls;

/* The runtime calls this one. */
int madvise(void *start, size_t size, int advice) {
  if (advice == POPULATE_WRITE)
    asked += size, calls++;
  return (int)syscall(SYS_madvise, start, size, advice);
}

static double of_records(double x) { return records(x, COUNT); }
static double of_arrays(double x) { return arrays(x, 2 * COUNT); }

int main(void) {
  double got = __enzyme_autodiff((void *)records, 0.3, enzyme_const, (double)COUNT);
  same("records", 0, got, difference(of_records, 0.3), 1e-7);
  same("few calls for megabytes", 0, asked > 7 << 20 && asked < 20 << 20 && calls < 100, 1, 0);

  asked = calls = 0;
  got = __enzyme_autodiff((void *)arrays, 0.3, 2 * COUNT);
  same("arrays", 0, got, difference(of_arrays, 0.3), 1e-7);
  same("one call for megabytes", 0, asked > 7 << 20 && asked < 9 << 20 && calls == 1, 1, 0);

  asked = calls = 0;
  got = __enzyme_autodiff((void *)arrays, 0.3, 2 * COUNT);
  same("no call for old memory", 0, calls, 0, 0);
  return failures;
}
