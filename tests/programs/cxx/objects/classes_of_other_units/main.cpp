// Objects of classes that only other units name, made outside: virtual calls reach their methods.
#include "../../../check.h"
#include "payoff.h"

static std::unique_ptr<Payoff> payoff;
static double value(double *x) { return price(*payoff, x[0], x[1]); }
static int kind;
static double made_inside(double *x) { return price(*make_payoff(kind, x[2]), x[0], x[1]); }

int main() {
    for (kind = 0; kind < 3; kind++) {
        payoff = make_payoff(kind, 0.9);
        CHECK(value, 1.1, 0.05);
        CHECK(made_inside, 1.1, 0.05, 0.8);
    }
    return failures;
}
