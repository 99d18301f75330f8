/* Texts in structs of numbers, changed character by character, and tables indexed by bytes: no numbers are made there. */
#include "../check.h"

#include <ctype.h>

struct item {
  double value;
  char name[8];
};
static int count = 3;
static unsigned char upper[256];

static double run(double *x) {
  struct item *items = malloc(count * sizeof *items);
  double sum = 0;
  for (int i = 0; i < 256; i++)
    upper[i] = toupper(i);
  for (int i = 0; i < count; i++) {
    strcpy(items[i].name, "abcd");
    items[i].value = x[0] * (i + 1);
    for (char *p = items[i].name; *p; p++)
      *p = i % 2 ? toupper(*p) : upper[(unsigned char)*p];
    sum += items[i].value * items[i].value * (items[i].name[2] - 'A');
  }
  free(items);
  return sum;
}

int main(void) {
  CHECK(run, 1.5);
  return failures;
}
