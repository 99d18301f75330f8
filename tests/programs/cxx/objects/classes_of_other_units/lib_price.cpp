#include "payoff.h"
double price(const Payoff &payoff, double spot, double rate) {
    double s = 0;
    for (int k = 0; k < 3; k++)
        s += payoff.value(spot * (1 + 0.1 * k)) * payoff.discount(rate * k);
    return s;
}
