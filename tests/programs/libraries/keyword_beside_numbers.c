/* A keyword of a struct that also has numbers is printed to a text in that struct, from which a number is read. */
#include "../check.h"

struct axis {
  double scale;
  char keyword[16], text[32];
};

NOINLINE static double number_in(struct axis *axis, int digit) {
  sprintf(axis->text, "%c%d", axis->keyword[0], digit);
  return axis->text[0] == 'A' ? strtod(axis->text + 1, NULL) : 0;
}

static double run(double *x) {
  struct axis *axis = malloc(sizeof *axis);
  axis->scale = x[0] * x[1];
  strcpy(axis->keyword, "ALONG");
  double value = number_in(axis, 3) * axis->scale * axis->scale;
  free(axis);
  return value;
}

int main(void) {
  CHECK(run, 0.5, 1.2);
  return failures;
}
