// The price of an Asian call option by Monte Carlo: paths of an asset whose volatility depends on price and time (linear
// between the prices of a grid), from given normal numbers, and the mean of max(mean of a path - strike, 0). Derivatives:
// by spot, rate, volatility and strike, and by the grid.
#include "adbench.hpp"

const std::vector<int> default_sizes = {40, 12}; // paths, steps

static constexpr int times = 5, prices = 10;
static constexpr auto lowest = 50., distance = 12., maturity = 1.;

struct place {
  int left;
  double share;
  bool inside;
};

// where in the grid a price is; outside, volatility is that of its border
static place find(double price) {
  double at = (price - lowest) / distance;
  if (at <= 0)
    return {0, 0, false};
  if (at >= prices - 1)
    return {prices - 2, 1, false};
  int left = whole(at);
  return {left, at - left, true};
}

static double objective(int paths, int steps, const double *x, const double *grid, const double *normal) {
  const double spot = x[0], rate = x[1], volatility = x[2], strike = x[3], h = maturity / steps, root = std::sqrt(h);
  double sum = 0;
  for (int path = 0; path < paths; path++) {
    double price = spot, total = 0;
    for (int t = 0; t < steps; t++) {
      const double *row = grid + t * times / steps * prices;
      place at = find(price);
      double sigma = volatility * (row[at.left] + at.share * (row[at.left + 1] - row[at.left]));
      price *= std::exp((rate - sigma * sigma / 2) * h + sigma * root * normal[path * steps + t]);
      total += price;
    }
    sum += std::fmax(total / steps - strike, 0);
  }
  return std::exp(-rate * maturity) * sum / paths;
}

// each path goes back as soon as it is there, if it pays
static void gradient_by_hand(int paths, int steps, const double *x, double *dx, const double *grid, double *d_grid,
                             const double *normal) {
  const double spot = x[0], rate = x[1], volatility = x[2], strike = x[3], h = maturity / steps, root = std::sqrt(h);
  const double discount = std::exp(-rate * maturity) / paths;
  std::vector<place> places(steps);
  numbers sigmas(steps), path_prices(steps + 1);
  double sum = 0, d_spot = 0, d_rate = 0, d_volatility = 0, d_strike = 0;
  for (int path = 0; path < paths; path++, normal += steps) {
    double total = 0;
    path_prices[0] = spot;
    for (int t = 0; t < steps; t++) {
      const double *row = grid + t * times / steps * prices;
      place at = places[t] = find(path_prices[t]);
      double sigma = sigmas[t] = volatility * (row[at.left] + at.share * (row[at.left + 1] - row[at.left]));
      path_prices[t + 1] = path_prices[t] * std::exp((rate - sigma * sigma / 2) * h + sigma * root * normal[t]);
      total += path_prices[t + 1];
    }
    if (total / steps <= strike)
      continue;
    sum += total / steps - strike;
    d_strike -= discount;
    double d_price = 0;
    for (int t = steps - 1; t >= 0; t--) {
      const double *row = grid + t * times / steps * prices;
      double *d_row = d_grid + t * times / steps * prices;
      const place &at = places[t];
      d_price += discount / steps;
      double d_exponent = d_price * path_prices[t + 1];
      double d_sigma = d_exponent * (root * normal[t] - sigmas[t] * h), d_factor = d_sigma * volatility;
      d_rate += d_exponent * h;
      d_volatility += d_sigma * sigmas[t];
      d_row[at.left] += d_factor * (1 - at.share);
      d_row[at.left + 1] += d_factor * at.share;
      d_price = d_exponent / path_prices[t];
      if (at.inside)
        d_price += d_factor * (row[at.left + 1] - row[at.left]) / distance;
    }
    d_spot += d_price;
  }
  dx[0] = d_spot, dx[1] = d_rate - maturity * discount * sum, dx[2] = d_volatility / volatility, dx[3] = d_strike;
}

struct black_scholes final : problem {
  int paths, steps;
  numbers x = {100, 0.03, 0.25, 98}, grid, normal;

  black_scholes(int paths, int steps) : paths(paths), steps(steps) {
    generator random;
    grid = random(times * prices, 0.7, 1.3);
    for (int i = 0; i < paths * steps; i++) { // Box and Muller
      double radius = std::sqrt(-2 * std::log(random(1e-12, 1))), angle = random(0, 2 * M_PI);
      normal.push_back(radius * std::cos(angle));
    }
    result.resize(x.size() + grid.size());
  }
  double primal() override { return objective(paths, steps, x.data(), grid.data(), normal.data()); }
  void derivative() override {
    result.assign(result.size(), 0);
    __enzyme_autodiff((void *)objective, enzyme_const, paths, enzyme_const, steps, enzyme_dup, x.data(), result.data(),
                      enzyme_dup, grid.data(), result.data() + x.size(), enzyme_const, normal.data());
  }
  void by_hand() override {
    result.assign(result.size(), 0);
    gradient_by_hand(paths, steps, x.data(), result.data(), grid.data(), result.data() + x.size(), normal.data());
  }
};

problem *make_problem(const std::vector<int> &s) { return new black_scholes(s[0], s[1]); }
