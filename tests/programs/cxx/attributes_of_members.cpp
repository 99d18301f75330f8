// Attributes of Enzyme's plug-in for clang on methods, static members, templates and what a macro wraps.
#include "../check.h"

#define INACTIVE __attribute__((enzyme_inactive))

struct model {
  double factor;
  INACTIVE double rounded(double x) const;
  INACTIVE static double log(double x);
  __attribute__((enzyme_function_like("log1p"))) static double rough(double x) { return x - x * x / 2; }
  virtual INACTIVE double weight(double x) const { return factor * x; }
  virtual ~model() = default;
  INACTIVE static double last;
};
double model::last = 0;
double model::rounded(double x) const { return factor * x * x; }
double model::log(double x) {
  last = x;
  return x * x * x;
}
template <typename T> INACTIVE T stopped(T x) { return x * x; }
namespace {
[[clang::enzyme_inactive]] double hidden(double x) { return sin(x); }
} // namespace

static double of_methods(double x) {
  model m;
  m.factor = 2;
  return x * (m.rounded(x) + model::log(x) + m.weight(x) + stopped(x) + hidden(x)) + model::rough(x);
}
NOINLINE static void keep(double x) { model::last = x * x; }
static double of_member(double x) {
  keep(x);
  return model::last * x;
}

int main() {
  double x = 0.7, constant = 2 * x * x + x * x * x + 2 * x + x * x + sin(x) + 1 / (1 + x);
  SAME(__enzyme_autodiff((void *)of_methods, x), constant);
  SAME(__enzyme_fwddiff((void *)of_methods, x, 1.0), constant);
  SAME(__enzyme_autodiff((void *)of_member, x), x * x);
  SAME(__enzyme_fwddiff((void *)of_member, x, 1.0), x * x);
  return failures;
}
