// Adept: a stack of statements, recorded at each call into the memory of the last one.
#pragma once
#include <adept_source.h>
#include <vector>

using active = adept::adouble;
inline double value(const active &x) { return x.value(); }

static adept::Stack stack;

struct tape {
  std::vector<active> inputs;

  template <class F> void gradient(F f, std::size_t n, const double *x, double *slopes) {
    inputs.resize(n);
    for (std::size_t i = 0; i < n; i++)
      inputs[i].set_value(x[i]);
    stack.new_recording();
    active result = f(inputs.data());
    result.set_gradient(1.);
    stack.reverse();
    for (std::size_t i = 0; i < n; i++)
      slopes[i] = inputs[i].get_gradient();
    stack.new_recording();
  }
};
