#include "payoff.h"
#include <cmath>
Payoff::~Payoff() = default;
double Payoff::discount(double rate) const { return std::exp(-rate); }
