/* Unions of a float and a double are copied, and all copies are used: their adjoints meet, and are of one type. */
#include "../check.h"

struct value {
  int is_double;
  union {
    float f;
    double d;
  } u;
};

static double number(const struct value *v) { return v->is_double ? sin(v->u.d) : v->u.f * 2.0; }

static float run(float *x) {
  struct value *all = malloc(6 * sizeof *all);
  double s = 0;
  for (int i = 0; i < 2; i++) {
    all[i].is_double = i;
    if (i)
      all[i].u.d = x[0] * x[1];
    else
      all[i].u.f = x[1] * x[2];
  }
  for (int i = 2; i < 6; i++)
    all[i] = all[i - 2];
  for (int i = 0; i < 6; i++)
    s += (i + 1) * number(&all[i]);
  free(all);
  return (float)s;
}

static double twin(double *x) { return 18 * x[1] * x[2] + 12 * sin(x[0] * x[1]); }

int main(void) {
  CHECK_FLOAT(run, twin, 0.5, 1.2, -0.7);
  return failures;
}
