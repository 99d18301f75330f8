// CppAD: operations that are recorded once, optimised, and evaluated again, as long as comparisons give the same.
#pragma once
#include <cppad/cppad.hpp>
#include <vector>

using active = CppAD::AD<double>;
inline double value(const active &x) { return CppAD::Value(x); }

namespace CppAD {
inline active fmax(const active &x, double y) { return x < y ? active(y) : x; }
} // namespace CppAD

struct tape {
  CppAD::ADFun<double> function;
  bool recorded = false;

  template <class F> void gradient(F f, std::size_t n, const double *x, double *slopes) {
    const std::vector<double> at(x, x + n), one = {1};
    if (recorded)
      function.Forward(0, at);
    if (!recorded || function.compare_change_number()) {
      std::vector<active> inputs(x, x + n);
      CppAD::Independent(inputs);
      std::vector<active> result = {f(inputs.data())};
      function.Dependent(inputs, result);
      function.optimize();
      function.Forward(0, at);
      recorded = true;
    }
    const std::vector<double> found = function.Reverse(1, one);
    std::copy(found.begin(), found.end(), slopes);
  }
};
