/* realloc to less, and of a struct with numbers and integers. */
#include "../check.h"

struct item {
  int key;
  double value;
};

static double shrink(double *x) {
  struct item *items = malloc(6 * sizeof *items);
  for (int i = 0; i < 6; i++) {
    items[i].key = i % 4;
    items[i].value = x[i % 3] * (i + 1);
  }
  items = realloc(items, 3 * sizeof *items);
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += items[i].value * items[i].value * x[items[i].key % 3];
  items = realloc(items, 5 * sizeof *items);
  items[4].value = items[0].value * x[1];
  s *= items[4].value;
  free(items);
  return s;
}

int main(void) {
  CHECK(shrink, 0.5, 1.2, 0.7);
  return failures;
}
