/* The function is named through constant pointers, tables and struct members. */
#include "../check.h"

static double f(double x) { return x * x * x; }
static double g(double x) { return cos(x); }
static double (*const constant)(double) = f;
static double (*const table[])(double) = {f, g};
static const struct {
  int n;
  double (*call)(double);
} entry = {1, g};

int main(void) {
  SAME(__enzyme_autodiff((void *)constant, 2.0), 12);
  SAME(__enzyme_autodiff((void *)table[1], 2.0), -sin(2));
  SAME(__enzyme_autodiff((void *)entry.call, 2.0), -sin(2));
  SAME(__enzyme_autodiff((void *)&f, 2.0), 12);
  double (*local)(double) = g;
  SAME(__enzyme_autodiff((void *)local, 2.0), -sin(2));
  return failures;
}
