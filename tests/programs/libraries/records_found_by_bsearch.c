/* Records of a name and a number, found by name. With optimisation, glibc's headers define bsearch inline. */
#include "../check.h"

struct record {
  char name[12];
  double value;
};

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

static double f(double *x) {
  const char *names[] = {"mass", "alpha", "zeta", "beta"};
  struct record records[4], key = {"mass"};
  for (int i = 0; i < 4; i++) {
    snprintf(records[i].name, sizeof records[i].name, "%s", names[i]);
    records[i].value = x[i] * x[0];
  }
  qsort(records, 4, sizeof *records, by_name);
  struct record *found = bsearch(&key, records, 4, sizeof *records, by_name);
  found->value *= 2;
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum = sum * 0.5 + records[i].value * (i + 1);
  return sum * found->value;
}

int main(void) {
  CHECK(f, 0.7, 1.1, -0.4, 0.9);
  return failures;
}
