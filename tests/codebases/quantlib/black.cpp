// The price of an option by Black's formula: a payoff behind a shared_ptr, a calculator that visits it.
#include "check.h"
#include <ql/instruments/payoffs.hpp>
#include <ql/pricingengines/blackcalculator.hpp>
using namespace QuantLib;

static ext::shared_ptr<StrikedTypePayoff> before;

static ext::shared_ptr<StrikedTypePayoff> make(double strike) {
  return ext::make_shared<PlainVanillaPayoff>(Option::Call, strike);
}

static double price(const ext::shared_ptr<StrikedTypePayoff> &payoff, const double *x) {
  return BlackCalculator(payoff, x[0], x[1], x[2]).value();
}

static double outside(double *x) { return price(before, x); }
static double inside(double *x) { return price(make(x[3]), x); }

int main() {
  before = make(100);
  CHECK_HANDLE(inside, outside, 104, 0.25, 0.95, 100);
  return failures;
}
