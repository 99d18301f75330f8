/* Static members, function-local statics with dynamic initialisation, inline variables, counters. */
#include <vector>

/* The shadows of what lives beside f, by their mangled names: a request finds in them what the last one left. */
extern double last_shadow __asm__("_ZN7counted4lastE_shadow");
extern double factor_shadow __asm__("_ZN7counted6factorE_shadow");
extern double start_shadow __asm__("_ZZL5localvE5start_shadow");
extern std::vector<double> weights_shadow __asm__("_ZZL7weightsvE1w_shadow");
static void clear_shadows() {
  last_shadow = factor_shadow = start_shadow = 0;
  for (double &w : weights_shadow)
    w = 0;
}
#define BEFORE_REQUEST clear_shadows()
#include "../../check.h"

struct counted {
  static int made;
  static double last;
  static inline double factor = 1.5;
  static const double table[3];
  double value;
  explicit counted(double v) : value(v) {
    made++;
    last = v;
  }
};
int counted::made = 0;
double counted::last = 0;
const double counted::table[3] = {1, 2, 3};

static std::vector<double> &weights() {
  static std::vector<double> w{0.5, 1.5, 2.5};
  return w;
}

NOINLINE static double local() {
  static double start = sqrt(2.0);
  return start;
}

static double f(double *x) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    counted c(x[i] * x[0]);
    s += c.value * counted::table[i] * weights()[i] * local();
  }
  return s * counted::last * counted::factor;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  SAME(counted::made > 0, 1);
  return failures;
}
