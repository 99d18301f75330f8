/* Random choices of C++ code: methods, templates of requests, whole numbers, choices that branch. */
#include "../check.h"
#include "traces.h"

template <typename Result, typename... Arguments> Result __enzyme_sample(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_condition(Arguments...);
extern int enzyme_trace, enzyme_duptrace, enzyme_observations, enzyme_likelihood;

static int coin(double p) { return uniform() < p; }
static double coin_density(double p, int side) { return side ? std::log(p) : std::log(1 - p); }

struct Mixture {
  double far;
  double draw(double p) const {
    int side = __enzyme_sample<int>((void *)coin, (void *)coin_density, "side", p);
    double centre = side ? far : 0;
    return __enzyme_sample<double>((void *)normal, (void *)normal_density, "x", centre, 1.0);
  }
};

static double model(double p, double far) {
  Mixture mixture{far};
  return 2 * mixture.draw(p * p);
}

static void given(trace *t, const char *name, long bits, int size) {
  __enzyme_insert_choice(t, name, 0, (void *)bits, size);
}

int main() {
  for (int side = 0; side < 2; side++) {
    auto *seen = (trace *)__enzyme_newtrace(), *below = (trace *)__enzyme_newtrace(), *t = (trace *)__enzyme_newtrace();
    double x = 1.75, likelihood;
    long bits;
    memcpy(&bits, &x, 8);
    trace *both[] = {seen, below};
    for (trace *each : both) {
      given(each, "side", side, 4);
      given(each, "x", bits, 8);
    }
    __enzyme_insert_call(seen, "_ZNK7Mixture4drawEd", below);
    double by_p = __enzyme_condition<double>((void *)model, &enzyme_out, 0.6, 3.0, &enzyme_observations, (void *)seen,
                                             &enzyme_duptrace, (void *)t, &enzyme_likelihood, &likelihood);
    double p = 0.36, centre = side ? 3 : 0;
    same("likelihood", side, likelihood, coin_density(p, side) + normal_density(centre, 1, x), 1e-14);
    same("by p", side, by_p, 2 * 0.6 * (side ? 1 / p : -1 / (1 - p)), 1e-13);
    trace *found = t->calls ? t->call[0].trace : t;
    int chosen;
    memcpy(&chosen, &found->choice[place(found, "side")].value, 4);
    same("side", side, chosen, side, 0);
    same("by x", side, found->choice[place(found, "x")].slope, -(x - centre), 1e-14);
    __enzyme_freetrace(seen);
    __enzyme_freetrace(t);
  }
  return failures;
}
