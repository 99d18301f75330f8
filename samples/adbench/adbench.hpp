// What every problem has, and what main.cpp does with it: one program for each problem.
#ifndef ADBENCH_HPP // a program may read it twice, with two types of numbers
#define ADBENCH_HPP
#include <cmath>
#include <cstdint>
#include <vector>

using numbers = std::vector<double>;

// A problem of some size, with its data. Derivatives go into `result`.
struct problem {
  numbers result;
  virtual ~problem() = default;
  virtual double primal() = 0;
  virtual void derivative() = 0;
  virtual void by_hand() = 0;
};

// The problem of this program. A size that is not given is `default_sizes`' one.
extern const std::vector<int> default_sizes;
problem *make_problem(const std::vector<int> &sizes);

// Numbers that look random, the same in each run (a generator of George Marsaglia: xorshift).
struct generator {
  std::uint64_t state = 88172645463325252u;
  std::uint64_t next() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  }
  double operator()(double low, double high) { return low + (high - low) * (next() >> 11) / 9007199254740992.0; }
  numbers operator()(std::size_t count, double low, double high) {
    numbers all(count);
    for (double &x : all)
      x = (*this)(low, high);
    return all;
  }
};

// The integer below. A template: another type of numbers has a function of its own.
template <class number> int whole(number x) { return (int)x; }

// log(exp(x[0]) + … + exp(x[n - 1]))
static inline double log_sum_exp(int n, const double *x) {
  double top = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    top = x[i] > top ? x[i] : top;
  for (int i = 0; i < n; i++)
    sum += std::exp(x[i] - top);
  return top + std::log(sum);
}

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width;
extern "C" {
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
}
#endif
