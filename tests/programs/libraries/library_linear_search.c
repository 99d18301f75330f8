/* lsearch: numbers that are appended to a table unless it has them. */
#include "../check.h"
#include <search.h>

static int by_value(const void *a, const void *b) { return *(const double *)a != *(const double *)b; }

static double distinct(double *x) {
  static const int order[] = {0, 1, 0, 2, 1};
  double table[3], s = 0;
  size_t n = 0;
  for (int i = 0; i < 5; i++) {
    double key = x[order[i]] * x[order[i]];
    double *found = lsearch(&key, table, &n, sizeof key, by_value);
    s += sin(*found) * (i + 1);
  }
  return s * (double)n;
}

int main(void) {
  CHECK(distinct, 0.3, 1.2, 2);
  return failures;
}
