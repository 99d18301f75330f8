// A problem of samples/adbench (PROBLEM, the name of its file) with forward requests in the place of reverse ones:
// along DIRECTIONS directions at once, 1 or 8. What main.cpp calls derivatives are then the tangents of what the
// problem computes, and what it gets by hand are products of the gradient with the directions.
#include "adbench.hpp"
#include <algorithm>
#include <cstring>
#include <utility>

extern int enzyme_dupv;

// With `along`, the problem's derivatives have the directions, which nothing changes, in the place of zeros.
static numbers directions;
static bool along, there;

struct all_tangents {
  double at[DIRECTIONS];
} static tangents;
all_tangents __enzyme_fwddiff_along(void *, ...);

static std::size_t stride; // of a direction, in bytes

namespace forward_problem::std {
using namespace ::std;

template <class T> struct vector : ::std::vector<T> {
  using ::std::vector<T>::vector;
  void assign(size_t count, double x) {
    if (!along)
      ::std::vector<T>::assign(count, x);
    else if (!there)
      ::std::vector<T>::assign(directions.begin(), directions.end());
    there = along;
  }
};
} // namespace forward_problem::std

#undef ADBENCH_HPP

namespace forward_problem {
#define __enzyme_autodiff another_autodiff
#define __enzyme_fwddiff another_fwddiff
#include "adbench.hpp"
#undef __enzyme_autodiff
#if DIRECTIONS > 1
#define __enzyme_autodiff(function, ...)                                                                               \
  (tangents = __enzyme_fwddiff_along(function, ::enzyme_width, DIRECTIONS, __VA_ARGS__))
#define enzyme_dup ::enzyme_dupv, stride
#else
#define __enzyme_autodiff(...) (tangents.at[0] = ::__enzyme_fwddiff(__VA_ARGS__))
#define enzyme_dup ::enzyme_dup
#endif
#undef __enzyme_fwddiff
#define enzyme_const ::enzyme_const
#include PROBLEM
#undef __enzyme_autodiff
#undef enzyme_dup
#undef enzyme_const
} // namespace forward_problem

struct forward final : problem {
  forward_problem::problem *inner;
  std::size_t inputs;

  explicit forward(forward_problem::problem *inner) : inner(inner), inputs(inner->result.size()) {
    stride = inputs * sizeof(double);
    directions = generator()(DIRECTIONS * inputs, -1, 1);
  }
  ~forward() override { delete inner; }
  double primal() override { return inner->primal(); }
  void derivative() override {
    along = true;
    inner->derivative();
    result.assign(tangents.at, tangents.at + DIRECTIONS);
  }
  void by_hand() override {
    along = false;
    inner->result.resize(inputs);
    inner->by_hand();
    result.assign(DIRECTIONS, 0);
    for (std::size_t i = 0; i < directions.size(); i++)
      result[i / inputs] += directions[i] * inner->result[i % inputs];
  }
};

int enzyme_dupv;
extern const std::vector<int> default_sizes = forward_problem::default_sizes;
problem *make_problem(const std::vector<int> &sizes) {
  return new forward(forward_problem::make_problem({sizes.begin(), sizes.end()}));
}
