#include "payoff.h"
#include <cmath>
namespace {
struct Forward : Payoff {
    double strike;
    explicit Forward(double strike) : strike(strike) {}
    double value(double price) const override { return price - strike; }
};
struct Smooth : Forward {
    using Forward::Forward;
    double value(double price) const override { return std::log1p(std::exp(price - strike)); }
};
struct Other {
    virtual ~Other() = default;
    double weight = 2;
};
// the second base begins further on: a thunk stands in its vtable
struct Mixed : Other, Payoff {
    double value(double price) const override { return weight * price * price; }
    double discount(double rate) const override { return 1 / (1 + rate * weight); }
};
} // namespace
std::unique_ptr<Payoff> make_payoff(int kind, double strike) {
    if (kind == 0)
        return std::make_unique<Forward>(strike);
    if (kind == 1)
        return std::make_unique<Smooth>(strike);
    return std::make_unique<Mixed>();
}
