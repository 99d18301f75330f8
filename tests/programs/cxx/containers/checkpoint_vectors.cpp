// A checkpointed step on vectors, with memory of its own; it is noexcept, so that no exception can leave the loop.
#include "../../check.h"
#include <cmath>
#include <enzyme/enzyme.h>
#include <vector>

struct model {
  double k;
};

__attribute__((enzyme("checkpoint", 4))) static void step(std::vector<double> &u, const model &m, int t) noexcept {
  std::vector<double> old = u;
  for (size_t i = 1; i + 1 < u.size(); i++)
    u[i] += m.k * (old[i - 1] - 2 * old[i] + std::sin(old[i + 1])) + 1e-3 * t;
}

static double simulate(double *x) {
  std::vector<double> u(x, x + 4);
  model m{x[4]};
  for (int t = 0; t < 30; t++)
    step(u, m, t);
  double sum = 0;
  for (double v : u)
    sum += v * v;
  return sum;
}

int main() {
  CHECK(simulate, 0.1, 0.4, 0.3, 0.2, 0.1);
  return failures;
}
