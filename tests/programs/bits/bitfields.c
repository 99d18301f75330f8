/* Structs with bit fields beside numbers, copied and changed. */
#include "../check.h"

struct flags {
  unsigned kind : 3, count : 13;
  float weight;
  unsigned long large : 40, rest : 24;
  double value;
};

static double run(double *x) {
  struct flags a[3], t;
  for (int i = 0; i < 3; i++)
    a[i] = (struct flags){.kind = (unsigned)i, .count = (unsigned)(100 + i), .weight = 0.5f, .large = 7, .value = x[i]};
  t = a[0], a[0] = a[2], a[2] = t;
  double s = 0;
  for (int i = 0; i < 3; i++) {
    a[i].count++;
    a[i].value *= a[(i + 1) % 3].kind ? a[i].value : x[0];
    s += a[i].value * a[i].count * a[i].weight * (double)a[i].large;
  }
  return s;
}

int main(void) {
  CHECK(run, 0.5, 1.2, -0.7);
  return failures;
}
