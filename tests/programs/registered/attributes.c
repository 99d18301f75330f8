/* Attributes as Enzyme's plug-in for clang has them, without a header: each changes a derivative. */
#include "../check.h"

__attribute__((enzyme_inactive)) double cube(double x) { return x * x * x; }
__attribute__((noinline, enzyme_inactive_noblock)) static double square(double x) { return x * x; }
[[clang::enzyme_inactive]] double half(double x);
double half(double x) { return x / 2; }
__attribute__((annotate("enzyme_inactivefn"))) double third(double x) { return x / 3; }

__attribute__((enzyme_inactive)) double unused_gain = 2;
__attribute__((enzyme_inactive)) static double kept;
double dgain;
__attribute__((enzyme_shadow(dgain))) double gain = 3;

__attribute__((enzyme_function_like("log1p"))) double rough(double x) { return x - x * x / 2; }
__attribute__((annotate("enzyme_function_like=cos"), noinline)) static double other(double x) { return 1 - x * x / 2; }

__attribute__((enzyme_shouldrecompute, enzyme_elementwise_read)) double sum(const double *x) { return x[0] + x[1]; }
__attribute__((enzyme_notypeanalysis)) double product(const double *x) { return x[0] * x[1]; }

static double of_inactive(double x) { return x * (cube(x) + square(x) + half(x) + third(x)); }
NOINLINE static void keep(double x) { kept = x * x; }
static double of_globals(double x) {
  keep(x);
  return unused_gain * gain * x + kept;
}
static double of_likes(double x) { return rough(x) + other(x); }
static double of_hints(double *x) { return sum(x) * product(x); }

int main(void) {
  double x = 0.7;
  double constant = x * x * x + x * x + x / 2 + x / 3;
  SAME(__enzyme_autodiff((void *)of_inactive, x), constant);
  SAME(__enzyme_fwddiff((void *)of_inactive, x, 1.0), constant);
  SAME(__enzyme_autodiff((void *)of_globals, x), unused_gain * gain);
  SAME(dgain, unused_gain * x);
  dgain = 0;
  SAME(__enzyme_fwddiff((void *)of_globals, x, 1.0), unused_gain * gain);
  SAME(__enzyme_autodiff((void *)of_likes, x), 1 / (1 + x) - sin(x));
  SAME(__enzyme_fwddiff((void *)of_likes, x, 1.0), 1 / (1 + x) - sin(x));
  CHECK(of_hints, 0.3, 1.2);
  return failures;
}
