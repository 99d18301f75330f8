// The saddle point of x₁² + y₁² - x₂² - y₂² by nested descent (Siskind and Pearlmutter 2008): the least, by the first
// two numbers, of the greatest by the last two. The outer derivative goes through the inner descent.
#include "descent.hpp"

const std::vector<int> default_sizes = {forward, reverse}; // outer, inner: 0 is forward, 1 reverse

static double surface(const double *a, const double *b) { return a[0] * a[0] + a[1] * a[1] - b[0] * b[0] - b[1] * b[1]; }
static double depth(const double *b, const double *a) { return -surface(a, b); }
static void twice(const double *x, const double *, double *out) { out[0] = 2 * x[0], out[1] = 2 * x[1]; }

template <mode inner> constexpr derivative_of inner_gradient = gradient_of<2, depth, inner>;
template <> constexpr derivative_of inner_gradient<hand> = twice;

template <mode inner> double highest(const double *a, const double *) {
  double b[2] = {1, 1};
  descend<2, depth, inner_gradient<inner>>(b, a);
  return surface(a, b);
}

template <mode outer, mode inner> constexpr derivative_of outer_gradient = gradient_of<2, highest<inner>, outer>;
template <> constexpr derivative_of outer_gradient<hand, hand> = twice; // the inner descent does not depend on a

template <mode outer, mode inner> void solve(double *out) {
  const double nothing[4] = {0};
  out[0] = out[1] = out[2] = out[3] = 1;
  descend<2, highest<inner>, outer_gradient<outer, inner>>(out, nothing);
  descend<2, depth, inner_gradient<inner>>(out + 2, out);
}

struct saddle final : problem {
  int outer, inner;
  saddle(int outer, int inner) : outer(outer), inner(inner) { result.resize(4); }
  double primal() override {
    const double a[2] = {1, 1};
    return highest<hand>(a, a);
  }
  void derivative() override {
    static void (*const solvers[2][2])(double *) = {{solve<forward, forward>, solve<forward, reverse>},
                                                    {solve<reverse, forward>, solve<reverse, reverse>}};
    solvers[outer][inner](result.data());
  }
  void by_hand() override { solve<hand, hand>(result.data()); }
};

problem *make_problem(const std::vector<int> &s) { return new saddle(s[0], s[1]); }
