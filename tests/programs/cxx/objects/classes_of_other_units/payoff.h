#include <memory>
struct Payoff {
    virtual ~Payoff();
    virtual double value(double price) const = 0;
    virtual double discount(double rate) const;
};
std::unique_ptr<Payoff> make_payoff(int kind, double strike);
double price(const Payoff &payoff, double spot, double rate);
