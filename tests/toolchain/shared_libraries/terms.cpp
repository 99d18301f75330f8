/* The terms, in a namespace of their own. */
#include "model.hpp"
#include <cmath>
namespace {
struct Power : Term { double c; int n; Power(double c, int n) : c(c), n(n) {} double at(double x) const override { double r = c; for (int i = 0; i < n; i++) r *= x; return r; } };
struct Wave : Term { double f; explicit Wave(double f) : f(f) {} double at(double x) const override { return std::sin(f * x) + cube(x); } };
}
std::unique_ptr<Term> power(double c, int n) { return std::make_unique<Power>(c, n); }
std::unique_ptr<Term> wave(double f) { return std::make_unique<Wave>(f); }
