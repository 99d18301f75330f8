/* Constructors that throw: members made before are destroyed, memory is given back; function-try-blocks. */
#include "../../check.h"
#include <memory>
#include <vector>

struct refused {
  double by;
};

static double *log_of_ends;

struct part {
  double value;
  explicit part(double v) : value(v * v) {
    if (v > 2)
      throw refused{v};
  }
  ~part() { *log_of_ends += value; }
};

struct whole {
  part a, b;
  std::vector<double> rest;
  whole(double x, double y) try : a(x), b(y), rest(3, x * y) {
    if (x < 0)
      throw refused{y};
  } catch (const refused &r) {
    *log_of_ends *= 2;
    if (r.by > 3)
      throw 1;
  }
};

static double f(double *x) {
  double ends = 1, s = 0;
  log_of_ends = &ends;
  for (int k = 0; k < 4; k++)
    try {
      auto w = std::make_unique<whole>(k == 3 ? -x[0] : x[0], x[1] * (k + 1));
      s += w->a.value * w->b.value * w->rest[2];
    } catch (const refused &r) {
      s += r.by * x[2];
    } catch (int) {
      s *= x[2];
    }
  return s * ends;
}

int main() {
  CHECK(f, 0.5, 0.9, 0.7);
  return failures;
}
