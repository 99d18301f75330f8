/* Steps of a computation as function objects, run one after the other. */
#include <functional>
#include <vector>

using step = std::function<double(double)>;

NOINLINE static double fold(const std::vector<step> &steps, double x) {
  for (const step &s : steps)
    x = s(x);
  return x;
}

static double cube(double x) { return x * x * x; }
