// CoDiPack: a tape of Jacobians (RealReverse), recorded at each call into the memory of the last one.
#pragma once
#include <codi.hpp>
#include <vector>

using active = codi::RealReverse;
inline double value(const active &x) { return x.getValue(); }

struct tape {
  std::vector<active> inputs;

  template <class F> void gradient(F f, std::size_t n, const double *x, double *slopes) {
    auto &record = active::getTape();
    inputs.assign(x, x + n);
    record.setActive();
    for (active &input : inputs)
      record.registerInput(input);
    active result = f(inputs.data());
    record.registerOutput(result);
    record.setPassive();
    result.setGradient(1);
    record.evaluate();
    for (std::size_t i = 0; i < n; i++)
      slopes[i] = inputs[i].getGradient();
    record.reset();
  }
};
