// <enzyme/enzyme.h> from C++: each request as a template, registrations in namespaces and of member functions, attributes.
#include "../../programs/check.h"
#include <enzyme/enzyme.h>

struct taped {
  void *tape;
  double value;
};
struct two {
  double a, b;
};

static double f(double x, const double *w) { return x * x * w[0]; }

namespace rules {
static double cube(double x) { return x * x * x; }
static taped augment_cube(double x) { return {nullptr, x * x * x}; }
static double reverse_cube(double, double d, void *) { return 100 * d; }
static double derivative_cube(double, double dx) { return 200 * dx; }
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augment_cube, (void *)reverse_cube};
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)derivative_cube};

double noise(double x) { return 0.5 * x; }
void *__enzyme_inactivefn_noise[] = {(void *)noise};

double crude(double x) { return 1 + x; }
void *__enzyme_function_like_crude[] = {(void *)crude, (void *)"sin"};
} // namespace rules

struct model {
  static double response(double x) { return 3 * x; }
  static void *augment(double) { return nullptr; }
};
static double augment_response(double x) { return model::response(x); }
static double reverse_response(double, double d) { return 50 * d; }
static void *const __enzyme_register_gradient_response[] __attribute__((used)) = {
    (void *)model::response, (void *)augment_response, (void *)reverse_response};

double gradient_power(double x, double d);
double augment_power(double x);
__attribute__((enzyme("augment", augment_power))) __attribute__((enzyme("gradient", gradient_power))) static double
power(double x) {
  return x * x;
}
double augment_power(double x) { return x * x; }
double gradient_power(double, double d) { return 40 * d; }

static double of_rules(double x) {
  return rules::cube(x) + rules::noise(x) * x + rules::crude(x) + model::response(x) + power(x);
}

template <typename T> static T generic(T x) { return x * x; }

int main() {
  double w = 5, dw = 0;
  SAME(__enzyme_autodiff((void *)f, 3.0, &w, &dw), 30);
  SAME(dw, 9);
  SAME(__enzyme_autodiff<float>((void *)generic<float>, 3.0f), 6);
  SAME(__enzyme_autodiff<long double>((void *)generic<long double>, 3.0L), 6);
  dw = 1;
  SAME(__enzyme_fwddiff((void *)f, 3.0, 1.0, &w, &dw), 39);
  dw = 0;
  two both = __enzyme_fwddiff<two>((void *)f, enzyme_width, 2, 3.0, 1.0, 2.0, enzyme_const, &w);
  SAME(both.b, 60);
  taped t = __enzyme_augmentfwd<taped>((void *)f, 3.0, &w, &dw);
  SAME(t.value, 45);
  SAME(__enzyme_fwdsplit((void *)f, enzyme_nofree, 3.0, 1.0, &w, &dw, t.tape), 30);
  SAME(__enzyme_reverse((void *)f, 3.0, &w, &dw, 2.0, t.tape), 60);
  SAME(dw, 18);
  char memory[200];
  SAME(__enzyme_augmentsize((void *)f, enzyme_out, enzyme_dup) <= sizeof memory, 1);
  __enzyme_augmentfwd<double>((void *)f, enzyme_allocated, sizeof memory, enzyme_tape, (void *)memory, 3.0, &w, &dw);
  SAME(__enzyme_reverse((void *)f, 3.0, &w, &dw, 2.0, (void *)memory), 60);
  two r = __enzyme_batch<two>((void *)f, enzyme_width, 2, 1.0, 2.0, enzyme_scalar, &w);
  SAME(r.b, 20);
  auto *halves = static_cast<taped (**)(double)>(__enzyme_virtualreverse((void *)generic<double>));
  SAME(halves[0](3).value, 9);
  SAME(__enzyme_autodiff((void *)+[](double x) { return x * __enzyme_ignore_derivatives(x); }, 3.0), 3);
  double e = cos(1.0);
  SAME(__enzyme_autodiff((void *)of_rules, 1.0), 100 + 0.5 + e + 50 + 40);
  SAME(__enzyme_fwddiff((void *)of_rules, 1.0, 1.0), 200 + 0.5 + e + 3 + 2);
  return failures;
}
