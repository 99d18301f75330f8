/* Text and integers that library functions write directly before numbers of the same struct. */
#include "../check.h"

struct entry {
  char name[4];
  int index;
  double value; };

NOINLINE static void fill(struct entry *e, const char *text, double value) {
  e->value = value;
  strcpy(e->name, text);
  sscanf(text, "%*2c%d", &e->index);
}

static double run(double *x) {
  static const char *const texts[] = {"ab1", "cd2", "ef3"};
  struct entry *entries = malloc(3 * sizeof *entries);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    fill(&entries[i], texts[i], x[i] * x[0]);
  for (int i = 0; i < 3; i++)
    sum += entries[i].value * entries[i].index + (entries[i].name[0] == 'c' ? x[2] * entries[i].value : 0);
  free(entries);
  return sum * sum;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
